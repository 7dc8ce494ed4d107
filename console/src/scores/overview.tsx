import type { ScoresOverviewBody } from "@hearback/sdk";
import { Alert, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { Section } from "../ui/section.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { workspaceQueries } from "../workspace/queries.ts";
import { CoverageTile } from "./coverage-tile.tsx";
import { reviewsBehind, type ScoreSearch, scorecardsOf } from "./filter.ts";
import { QuestionRates, SectionScores } from "./question-rates.tsx";
import classes from "./scores.module.css";
import { ScoresLoading } from "./scores-loading.tsx";
import { useTexts } from "./texts.ts";
import { Tile } from "./tile.tsx";
import { useNumbers } from "./use-numbers.ts";
import { useTarget } from "./use-target.ts";
import { WeeklyScores } from "./weekly-scores.tsx";

interface OverviewProps {
  readonly scores: ScoresOverviewBody;
  readonly search: ScoreSearch;
}

interface LoadableProps extends Omit<OverviewProps, "scores"> {
  /** Undefined: being loaded. */
  readonly scores: ScoresOverviewBody | undefined;
}

export function Overview({ scores, search }: LoadableProps) {
  const { t } = useTexts();
  const target = useTarget(scorecardsOf(scores?.questions ?? []));
  const workspace = useQuery(workspaceQueries.workspace);
  const minReviews = workspace.data?.settings.min_reviews ?? 0;
  if (!scores || workspace.isPending) return <ScoresLoading />;
  if (scores.reviews === 0) {
    return (
      <>
        <div className={classes.tiles}>
          <CoverageTile search={search} />
        </div>
        <EmptyState icon="chart" title={t("nothing")}>
          <Text c="dimmed" maw={480}>
            {t("nothingDetail")}
          </Text>
          <TextLink to="/reviews" search={{ view: "release" }}>
            {t("toRelease")}
          </TextLink>
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <TooFew missing={minReviews - scores.score.n} />
      <Tiles scores={scores} search={search} minReviews={minReviews} />
      <WeeklyScores scores={scores} search={search} target={target} minReviews={minReviews} />
      <Outcomes scores={scores} search={search} />
      <QuestionRates items={scores.questions} search={search} />
      <SectionScores items={scores.sections} search={search} />
    </>
  );
}

function TooFew({ missing }: { readonly missing: number }) {
  const { t } = useTexts();
  if (missing <= 0) return null;
  return (
    <Alert color="orange" icon={<Icon name="info" />}>
      {t("needed", { count: missing })}
    </Alert>
  );
}

interface TilesProps extends OverviewProps {
  readonly minReviews: number;
}

function Tiles({ scores: { reviews, score, passed, disputes, hours }, search, minReviews }: TilesProps) {
  const { t } = useTexts();
  const numbers = useNumbers();
  const hoursOf = ({ mean }: { readonly mean: number | null }) => (mean === null ? "–" : numbers.hours(mean));
  return (
    <div className={classes.tiles}>
      <Tile
        label={t("score")}
        value={
          score.value === null || score.n < minReviews ? (
            "–"
          ) : (
            <TextLink to="/reviews" search={reviewsBehind(search)}>
              {numbers.score(score.value)}
            </TextLink>
          )
        }
      >
        {numbers.interval(score, numbers.score)}
      </Tile>
      <Tile
        label={t("reviews")}
        value={
          <TextLink to="/reviews" search={reviewsBehind(search)}>
            {numbers.count(reviews)}
          </TextLink>
        }
      >
        {t("scoredCount", { count: score.n })}
      </Tile>
      <Tile
        label={t("passed")}
        value={
          passed.value === null || passed.n < minReviews ? (
            "–"
          ) : (
            <TextLink to="/reviews" search={reviewsBehind(search, { outcome: "passed" })}>
              {numbers.rate(passed.value)}
            </TextLink>
          )
        }
      >
        {numbers.interval(passed, numbers.rate)}
      </Tile>
      <Tile label={t("disputes")} value={numbers.count(disputes.opened)}>
        {t("disputesChanged", { count: disputes.changed })}
      </Tile>
      <Tile label={t("toReleaseHours")} value={hoursOf(hours.to_release)}>
        {t("meanOf", { count: hours.to_release.n })}
      </Tile>
      <Tile label={t("toAcknowledgementHours")} value={hoursOf(hours.to_acknowledgement)}>
        {t("meanOf", { count: hours.to_acknowledgement.n })}
      </Tile>
      <CoverageTile search={search} />
    </div>
  );
}

const outcomes = ["passed", "failed", "not_scored"] as const;

function Outcomes({ scores: { outcomes: counts }, search }: OverviewProps) {
  const { t } = useTexts();
  const numbers = useNumbers();
  return (
    <Section title={t("outcomes")} small>
      <div className={classes.outcomes} aria-hidden="true">
        {outcomes.map((outcome) =>
          counts[outcome] > 0 ? (
            <span key={outcome} data-outcome={outcome} style={{ flexGrow: counts[outcome] }} />
          ) : null,
        )}
      </div>
      <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
        {outcomes.map((outcome) => (
          <div key={outcome}>
            <Text component="dt" size="sm" c="dimmed">
              {t(`outcome_${outcome}`)}
            </Text>
            <Text component="dd" m={0} fw={600} className="tabular">
              <TextLink to="/reviews" search={reviewsBehind(search, { outcome })}>
                {numbers.count(counts[outcome])}
              </TextLink>
            </Text>
          </div>
        ))}
        <div>
          <Text component="dt" size="sm" c="dimmed">
            {t("failedCall")}
          </Text>
          <Text component="dd" m={0} fw={600} className="tabular">
            {numbers.count(counts.failed_call)}
          </Text>
        </div>
      </SimpleGrid>
    </Section>
  );
}
