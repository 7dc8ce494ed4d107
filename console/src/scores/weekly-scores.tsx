import type { OwnScoresBody, ScoreEstimate } from "@hearback/sdk";
import { useNavigate } from "@tanstack/react-router";
import { ChartSection } from "../charts/chart-section.tsx";
import type { ChartTable } from "../charts/chart-table.ts";
import { dayText } from "../charts/day-text.ts";
import { Trend } from "../charts/trend.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { daysOfWeek, reviewsBehind, type ScoreSearch } from "./filter.ts";
import { useScorecardNames } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { useNumbers, withMinimum } from "./use-numbers.ts";

interface WeeklyScoresProps {
  readonly scores: Pick<OwnScoresBody, "weeks" | "versions" | "score">;
  readonly search: ScoreSearch;
  readonly target: number | null;
  /** From fewer reviews, a range is shown instead of a score. */
  readonly minReviews: number;
}

/** Mean score by week, with the changes of versions. */
export function WeeklyScores({ scores, search, target, minReviews }: WeeklyScoresProps) {
  const { versions } = scores;
  const shown = (estimate: ScoreEstimate) => withMinimum(estimate, estimate.n >= minReviews);
  const weeks = scores.weeks.map((week) => ({ ...week, score: shown(week.score) }));
  const score = shown(scores.score);
  const { t } = useTexts();
  const { language } = useFormat();
  const numbers = useNumbers();
  const navigate = useNavigate();
  const nameOf = useScorecardNames();
  const behind = (week: string) => reviewsBehind(search, daysOfWeek(search, week));
  const weekText = (week: string) => dayText(week, language, { day: "numeric", month: "short", year: "numeric" });
  const versionText = ({ scorecard_id, version }: (typeof versions)[number]) =>
    t("versionOf", { scorecard: nameOf(scorecard_id), version });
  const points = weeks.map(({ week, score: mean }) => ({
    ...{ week, value: mean.value, low: mean.low, high: mean.high },
    caption: t("weekCaption", {
      ...{ week: weekText(week), count: mean.n, interval: numbers.interval(mean, numbers.score) },
      score: mean.value === null ? "–" : numbers.score(mean.value),
    }),
  }));
  const table: ChartTable = {
    columns: [
      { title: t("week") },
      ...[t("score"), t("low"), t("high"), t("scored")].map((title) => ({ title, numeric: true })),
      { title: t("reviews"), numeric: true },
      { title: t("newVersions") },
    ],
    rows: weeks.map((one) => {
      const { calledFrom, calledTo } = daysOfWeek(search, one.week);
      const began = versions.filter(({ first_day }) => first_day >= calledFrom && first_day <= calledTo);
      return {
        key: one.week,
        cells: [
          { text: weekText(one.week), value: one.week },
          ...numbers.cells(one.score, numbers.score),
          {
            text: numbers.count(one.reviews),
            value: one.reviews,
            node: (
              <TextLink
                to="/reviews"
                search={behind(one.week)}
                aria-label={t("reviewsOfWeek", { count: one.reviews, week: weekText(one.week) })}
              >
                {numbers.count(one.reviews)}
              </TextLink>
            ),
          },
          { text: began.map(versionText).join(", ") },
        ],
      };
    }),
  };
  return (
    <ChartSection
      title={t("byWeek")}
      intro={`${t("byWeekIntro")} ${t("minOfWeek", { count: minReviews })}`}
      table={table}
      fileName="scores-by-week"
    >
      <Trend
        points={points}
        target={target}
        marks={versions.map(({ first_day, version }) => ({ day: first_day, label: t("versionMark", { version }) }))}
        caption={t("allCaption", {
          ...{ count: score.n, interval: numbers.interval(score, numbers.score) },
          score: score.value === null ? "–" : numbers.score(score.value),
        })}
        format={numbers.score}
        onSelect={(week) => void navigate({ to: "/reviews", search: behind(week) })}
      />
    </ChartSection>
  );
}
