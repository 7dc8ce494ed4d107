import { useQuery } from "@tanstack/react-query";
import { useSession } from "../access/queries.ts";
import { NotAllowed } from "../ui/feedback/not-allowed.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Page } from "../ui/page.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { readScoreSearch, toScoreFilter } from "./filter.ts";
import { Overview } from "./overview.tsx";
import { scoreQueries } from "./queries.ts";
import { ScoreFilters } from "./score-filters.tsx";
import { ScoreTabs } from "./score-tabs.tsx";
import { useTexts } from "./texts.ts";

export function OverviewPage() {
  const { user } = useSession();
  const { t } = useTexts();
  const { params, change } = useSearchParams();
  const search = readScoreSearch(params);
  const overview = useQuery(scoreQueries.overview(toScoreFilter(search)));
  if (user.role !== "supervisor" && user.role !== "admin") return <NotAllowed />;
  return (
    <Page title={t("title")} intro={t("intro")} actions={<ScoreTabs current="/scores" params={params} />}>
      <ScoreFilters search={search} onChange={change} />
      {overview.isError && <Problem error={overview.error} onRetry={() => void overview.refetch()} />}
      {(overview.data || overview.isPending) && <Overview scores={overview.data} search={search} />}
    </Page>
  );
}
