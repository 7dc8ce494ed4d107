import type { ReviewBody } from "@hearback/sdk";
import { Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Problem } from "../../ui/feedback/problem.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { MoreRows } from "../../ui/table/more-rows.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { ContinueButton } from "../continue-button.tsx";
import { useNames } from "../people/names.ts";
import { reviewQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { ScorecardName } from "./review-columns.tsx";

/** Reviews that the user has not submitted. Nothing if there are none. */
export function Drafts({ userId }: { readonly userId: string }) {
  const { t } = useTexts();
  const list = useInfiniteQuery(reviewQueries.list({ state: "draft", reviewerId: userId }));
  const drafts = list.data?.pages.flatMap(({ reviews }) => reviews) ?? [];
  const names = useNames(drafts.map(({ agent_id }) => agent_id));
  if (list.error) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  // A page can be empty although there are more.
  if (drafts.length === 0 && !list.hasNextPage) return null;
  const columns: readonly [Column<ReviewBody>, ...Column<ReviewBody>[]] = [
    {
      key: "agent",
      title: t("agent"),
      cell: ({ agent_id }) => (
        <Text inherit fw={600} className="breakable">
          {names.user(agent_id)}
        </Text>
      ),
    },
    { key: "scorecard", title: t("scorecard"), cell: ({ scorecard }) => <ScorecardName scorecard={scorecard} /> },
    { key: "started", title: t("started"), cell: ({ created_at }) => <Timestamp at={created_at} /> },
    {
      key: "continue",
      title: t("nextStep"),
      width: 150,
      cell: (draft) => (
        <ContinueButton
          draft={draft}
          size="compact-sm"
          variant="light"
          aria-label={t("continueOf", { agent: names.user(draft.agent_id), scorecard: draft.scorecard.name })}
        />
      ),
    },
  ];
  return (
    <Stack gap="xs" component="section" aria-labelledby="drafts">
      <Title order={2} size="h5" id="drafts">
        {t("drafts")}
      </Title>
      {drafts.length > 0 && <DataTable label={t("drafts")} columns={columns} rows={drafts} rowKey={({ id }) => id} />}
      {list.hasNextPage && (
        <MoreRows
          shown={drafts.length}
          hasMore
          loading={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Stack>
  );
}
