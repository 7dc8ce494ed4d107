import { Group, SegmentedControl, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSession } from "../../access/queries.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/table/paged-table.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { useNames } from "../people/names.ts";
import { reviewQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { Drafts } from "./drafts.tsx";
import { isFiltered, noFilters, type ReviewSearch, readReviewSearch, toReviewFilter } from "./filter.ts";
import { OwnReviews } from "./own-reviews.tsx";
import { useReviewColumns } from "./review-columns.tsx";
import { ReviewFilters } from "./review-filters.tsx";
import { ToRelease } from "./to-release.tsx";
import { waitingQuery } from "./waiting.ts";

export function ReviewsPage() {
  const { user } = useSession();
  return user.role === "agent" ? <OwnReviews /> : <Reviews managed={user.role !== "reviewer"} userId={user.id} />;
}

interface ReviewsProps {
  /** Supervisors and administrators see all reviews and release them. */
  readonly managed: boolean;
  readonly userId: string;
}

function Reviews({ managed, userId }: ReviewsProps) {
  const { t } = useTexts();
  const { params, change } = useSearchParams();
  const search = readReviewSearch(params);
  const view = managed ? search.view : "all";
  return (
    <Page title={t("title")} intro={t(managed ? "introAll" : "introOwn")}>
      {view === "all" && search.state !== "draft" && <Drafts userId={userId} />}
      {managed && <Views view={view} onChange={(chosen) => change({ ...noFilters, view: chosen })} />}
      {view === "release" ? (
        <ToRelease />
      ) : (
        <>
          <ReviewFilters search={search} managed={managed} onChange={change} onClear={() => change(noFilters)} />
          <ReviewTable search={search} managed={managed} userId={userId} />
        </>
      )}
    </Page>
  );
}

interface ViewsProps {
  readonly view: ReviewSearch["view"];
  readonly onChange: (view: "release" | undefined) => void;
}

function Views({ view, onChange }: ViewsProps) {
  const { t } = useTexts();
  const { data: waiting } = useQuery(waitingQuery);
  const count = waiting?.to_release ?? 0;
  const release = count === 0 ? t("toRelease") : t("toReleaseCount", { number: count >= 100 ? "99+" : count });
  return (
    <Group>
      <SegmentedControl
        aria-label={t("view")}
        value={view}
        onChange={(value) => onChange(value === "release" ? value : undefined)}
        data={[
          { value: "all", label: t("allReviews") },
          { value: "release", label: release },
        ]}
      />
    </Group>
  );
}

function ReviewTable({ search, managed, userId }: ReviewsProps & { readonly search: ReviewSearch }) {
  const { t } = useTexts();
  const { zone } = useFormat();
  const filter = toReviewFilter(search, zone);
  const withoutDraftsOf = search.state === "draft" ? undefined : userId;
  const list = useInfiniteQuery(reviewQueries.list({ ...filter, withoutDraftsOf }));
  const reviews = list.data?.pages.flatMap((page) => page.reviews);
  const names = useNames((reviews ?? []).flatMap(({ agent_id, reviewer }) => [agent_id, reviewer.id]));
  const [call, ...others] = useReviewColumns(names);
  const filtered = isFiltered(search);
  return (
    <PagedTable
      label={t("title")}
      list={list}
      rows={reviews}
      rowKey={({ id }) => id}
      // Reviewers see their own only.
      columns={[call, ...others.filter(({ key }) => managed || key !== "reviewer")]}
      empty={
        <EmptyState icon={filtered ? "search" : "review"} title={t(filtered ? "noMatch" : "none")}>
          <Text c="dimmed" maw={480}>
            {t(filtered ? "noMatchDetail" : "noneDetail")}
          </Text>
        </EmptyState>
      }
    />
  );
}
