import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../access/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { NotAllowed } from "../ui/feedback/not-allowed.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { readScoreSearch, type ScoreSearch, toScoreFilter } from "./filter.ts";
import { maxReviewers, type ReviewerScores, scoreQueries } from "./queries.ts";
import { ReviewerSeverities } from "./reviewer-severities.tsx";
import { ReviewerTable } from "./reviewer-table.tsx";
import { ScoreFilters } from "./score-filters.tsx";
import { ScoreTabs } from "./score-tabs.tsx";
import { ScoresLoading } from "./scores-loading.tsx";
import { useTexts } from "./texts.ts";

export function ReviewersPage() {
  const { user } = useSession();
  const { t } = useTexts();
  const { params, change } = useSearchParams();
  const search = { ...readScoreSearch(params), selection: undefined };
  const scores = useQuery(scoreQueries.reviewers(toScoreFilter(search)));
  if (user.role !== "supervisor" && user.role !== "admin") return <NotAllowed />;
  return (
    <Page
      title={t("reviewers")}
      intro={t("reviewersIntro")}
      actions={<ScoreTabs current="/scores/reviewers" params={params} />}
    >
      <ScoreFilters search={search} onChange={change} bySelection={false} />
      {scores.isError && <Problem error={scores.error} onRetry={() => void scores.refetch()} />}
      {scores.data ? <Reviewers scores={scores.data} search={search} /> : scores.isPending && <ScoresLoading />}
    </Page>
  );
}

interface ReviewersProps {
  readonly scores: ReviewerScores;
  readonly search: ScoreSearch;
}

function Reviewers({ scores, search }: ReviewersProps) {
  const { t, language } = useTexts();
  const compare = new Intl.Collator(language).compare;
  // By name: never by a number.
  const reviewers = scores.reviewers.toSorted(
    (a, b) => compare(a.name ?? "", b.name ?? "") || compare(a.reviewer_id, b.reviewer_id),
  );
  if (reviewers.length === 0) {
    return (
      <EmptyState icon="chart" title={t("nothing")}>
        <Text c="dimmed" maw={480}>
          {t("nothingDetail")}
        </Text>
      </EmptyState>
    );
  }
  return (
    <>
      {scores.isCut && (
        <Alert color="orange" icon={<Icon name="info" />}>
          {t("reviewersCut", { count: maxReviewers })}
        </Alert>
      )}
      {scores.callsAfter !== null && (
        <Alert color="orange" icon={<Icon name="info" />}>
          {t("callsCut")} <Timestamp at={scores.callsAfter} />
        </Alert>
      )}
      {!scores.hasAllPairs && (
        <Alert color="orange" icon={<Icon name="info" />}>
          {t("agreementCut")}
        </Alert>
      )}
      <ReviewerTable reviewers={reviewers} minReviews={scores.minReviews} search={search} />
      <ReviewerSeverities reviewers={reviewers} minReviews={scores.minReviews} search={search} />
    </>
  );
}
