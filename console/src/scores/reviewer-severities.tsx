import type { ReviewerScore } from "@hearback/sdk";
import { ChartSection } from "../charts/chart-section.tsx";
import { Differences } from "../charts/estimate-rows.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { reviewsBehind } from "./filter.ts";
import type { ReviewerListProps } from "./reviewer-table.tsx";
import { useTexts } from "./texts.ts";
import { useNumbers, withMinimum } from "./use-numbers.ts";

/** Severity of each reviewer with its interval. The table and the CSV file have all numbers. */
export function ReviewerSeverities({ reviewers, minReviews, search }: ReviewerListProps) {
  const { t } = useTexts();
  const numbers = useNumbers();
  const linkOf = ({ reviewer_id: reviewer, name }: ReviewerScore) => (
    <TextLink to="/reviews" search={reviewsBehind(search, { reviewer, selection: "drawn" })}>
      {name ?? t("formerUser")}
    </TextLink>
  );
  const count = (value: number) => ({ text: numbers.count(value), value });
  const columns = [
    ...[t("severity"), t("low"), t("high"), t("comparable")],
    ...[t("reviews"), t("activeTime"), t("agreement"), t("disputes"), t("changedCount")],
  ];
  return (
    <ChartSection
      title={t("severity")}
      intro={
        <>
          {t("severityIntro")} {t("minDrawn", { count: minReviews })}
        </>
      }
      fileName="reviewers"
      readable
      table={{
        columns: [{ title: t("reviewer") }, ...columns.map((title) => ({ title, numeric: true }))],
        rows: reviewers.map((reviewer) => {
          const { median_active_seconds: seconds, agreement, overturned } = reviewer;
          return {
            key: reviewer.reviewer_id,
            cells: [
              { text: reviewer.name ?? t("formerUser"), node: linkOf(reviewer) },
              ...numbers.cells(withMinimum(reviewer.severity, reviewer.severity.n >= minReviews), numbers.difference),
              count(reviewer.reviews),
              {
                text: seconds === null ? "–" : numbers.minutes(seconds / 60),
                value: seconds === null ? null : Math.round(seconds / 6) / 10,
              },
              {
                text: agreement.value === null || agreement.n < minReviews ? "–" : numbers.rate(agreement.value),
                value: agreement.value === null || agreement.n < minReviews ? null : agreement.value / 100,
              },
              count(overturned.disputed),
              count(overturned.changed),
            ],
          };
        }),
      }}
    >
      <Differences
        label={t("severity")}
        nameTitle={t("reviewer")}
        valueTitle={t("severity")}
        format={numbers.difference}
        rows={reviewers.map((reviewer) => {
          const { n, value, low, high } = reviewer.severity;
          const missing = Math.max(0, minReviews - n);
          const notes = [
            t("drawnReviews", { count: n }),
            ...(missing > 0 ? [t("neededDrawn", { count: missing })] : []),
          ];
          return {
            ...{ key: reviewer.reviewer_id, value, low, high, rangeOnly: missing > 0 },
            ...{ name: linkOf(reviewer), note: notes.join(" · ") },
            ...(missing > 0 && { number: "–" }),
          };
        })}
      />
    </ChartSection>
  );
}
