import type { ReviewerScore, ScoreEstimate } from "@hearback/sdk";
import { Section } from "../ui/section.tsx";
import { type Column, DataTable } from "../ui/table/data-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { reviewsBehind, type ScoreSearch } from "./filter.ts";
import { useTexts } from "./texts.ts";
import { useNumbers } from "./use-numbers.ts";

export interface ReviewerListProps {
  /** In the order of names. */
  readonly reviewers: readonly ReviewerScore[];
  readonly minReviews: number;
  readonly search: ScoreSearch;
}

/** All numbers of each reviewer. A number from too few reviews is not shown. */
export function ReviewerTable({ reviewers, minReviews, search }: ReviewerListProps) {
  const { t } = useTexts();
  const numbers = useNumbers();
  const behind = (reviewer: string, selection?: "drawn") =>
    reviewsBehind(search, { reviewer, ...(selection && { selection }) });
  const textOf = ({ n, value }: ScoreEstimate, format: (hundredths: number) => string) =>
    value === null ? "–" : n < minReviews ? t("tooFew") : format(value);
  const columns: readonly [Column<ReviewerScore>, ...Column<ReviewerScore>[]] = [
    { key: "reviewer", title: t("reviewer"), cell: ({ name }) => name ?? t("formerUser") },
    {
      ...{ key: "reviews", title: t("reviews"), align: "right" },
      cell: ({ reviewer_id: id, name, reviews }) => (
        <TextLink
          to="/reviews"
          search={behind(id)}
          aria-label={t("reviewsBy", { count: reviews, name: name ?? t("formerUser") })}
        >
          {numbers.count(reviews)}
        </TextLink>
      ),
    },
    {
      ...{ key: "activeTime", title: t("activeTime"), align: "right" },
      cell: ({ median_active_seconds: seconds }) => (seconds === null ? "–" : numbers.minutes(seconds / 60)),
    },
    {
      ...{ key: "severity", title: t("severity"), align: "right" },
      cell: ({ reviewer_id: id, severity }) =>
        severity.value === null ? (
          "–"
        ) : (
          <>
            {textOf(severity, numbers.difference)}
            {" · "}
            <TextLink to="/reviews" search={behind(id, "drawn")}>
              {t("drawnReviews", { count: severity.n })}
            </TextLink>
          </>
        ),
    },
    {
      ...{ key: "agreement", title: t("agreement"), align: "right" },
      cell: ({ agreement }) => `${textOf(agreement, numbers.rate)} · ${t("pairs", { count: agreement.n })}`,
    },
    {
      ...{ key: "overturned", title: t("overturned"), align: "right" },
      cell: ({ overturned: { changed_rate: changed } }) =>
        `${textOf(changed, numbers.rate)} · ${t("decidedDisputes", { count: changed.n })}`,
    },
  ];
  return (
    <Section title={t("reviewers")} intro={t("reviewersTableIntro")} small>
      <DataTable label={t("reviewers")} columns={columns} rows={reviewers} rowKey={({ reviewer_id }) => reviewer_id} />
    </Section>
  );
}
