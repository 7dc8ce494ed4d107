import type { OwnScoresBody } from "@hearback/sdk";
import { Alert, SimpleGrid, Text } from "@mantine/core";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { reviewsBehind, type ScoreSearch, scorecardsOf } from "./filter.ts";
import { QuestionRates } from "./question-rates.tsx";
import { ScoresLoading } from "./scores-loading.tsx";
import { useTexts } from "./texts.ts";
import { Tile } from "./tile.tsx";
import { useNumbers } from "./use-numbers.ts";
import { useTarget } from "./use-target.ts";
import { WeeklyScores } from "./weekly-scores.tsx";

interface MyScoresProps {
  /** Undefined: being loaded. */
  readonly scores: OwnScoresBody | undefined;
  readonly search: ScoreSearch;
}

export function MyScores({ scores, search }: MyScoresProps) {
  const { t } = useTexts();
  const numbers = useNumbers();
  const target = useTarget(scorecardsOf(scores?.questions ?? []));
  if (!scores) return <ScoresLoading />;
  const { reviews, score, passed, min_reviews, reviews_needed } = scores;
  const isEnough = reviews_needed === 0;
  if (reviews === 0) {
    return (
      <EmptyState icon="chart" title={t("nothingMine")}>
        <Text c="dimmed" maw={480}>
          {t("nothingMineDetail")}
        </Text>
      </EmptyState>
    );
  }
  return (
    <>
      {!isEnough && (
        <Alert color="orange" icon={<Icon name="info" />}>
          {t("needed", { count: reviews_needed })}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="md">
        <Tile label={t("score")} value={score.value === null || !isEnough ? "–" : numbers.score(score.value)}>
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
        <Tile label={t("passed")} value={passed.value === null || !isEnough ? "–" : numbers.rate(passed.value)}>
          {numbers.interval(passed, numbers.rate)}
        </Tile>
      </SimpleGrid>
      <WeeklyScores scores={scores} search={search} target={target} minReviews={min_reviews} />
      <QuestionRates items={scores.questions} search={search} />
    </>
  );
}
