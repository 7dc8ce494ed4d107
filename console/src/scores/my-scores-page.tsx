import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { Problem } from "../ui/feedback/problem.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { readScoreSearch, type ScoreSearch } from "./filter.ts";
import { scoreQueries } from "./queries.ts";
import { Period, Selection } from "./score-filters.tsx";
import classes from "./scores.module.css";
import { ScoresLoading } from "./scores-loading.tsx";
import { useTexts } from "./texts.ts";

/** The code of the charts is loaded while the numbers are. */
const MyScores = lazyComponent(async () => (await import("./my-scores.tsx")).MyScores);

/** The scores of an agent's own reviews. */
export function MyScoresPage() {
  const { t } = useTexts();
  const { params, change } = useSearchParams();
  const { weeks, from, to, selection } = readScoreSearch(params);
  const search: ScoreSearch = { weeks, from, to, selection };
  const scores = useQuery(scoreQueries.mine({ from, to, selection }));
  return (
    <Page title={t("myScores")} intro={t("myIntro")}>
      <search aria-label={t("filters")}>
        <Period search={search} onChange={change} />
        <div className={classes.filters}>
          <Selection search={search} onChange={change} />
        </div>
      </search>
      {scores.isError && <Problem error={scores.error} onRetry={() => void scores.refetch()} />}
      {(scores.data || scores.isPending) && (
        <Suspense fallback={<ScoresLoading />}>
          <MyScores scores={scores.data} search={search} />
        </Suspense>
      )}
    </Page>
  );
}
