import type { CallChangeBody } from "@hearback/sdk";
import { Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Problem } from "../../ui/feedback/problem.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { MoreRows } from "../../ui/table/more-rows.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { callPageQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { changedEntries } from "./metadata-change.ts";

export function CallChanges({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const list = useInfiniteQuery(callPageQueries.changes(id));
  const changes = list.data?.pages.flatMap((page) => page.changes) ?? [];
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        {t("changes")}
      </Title>
      {list.isPending && <LoadingRows rows={1} height={20} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && changes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("noChanges")}
        </Text>
      )}
      {changes.map((change) => (
        <Change key={change.number} change={change} />
      ))}
      {list.hasNextPage && (
        <MoreRows
          shown={changes.length}
          hasMore
          loading={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Stack>
  );
}

function Change({ change: { at, actor, changed } }: { readonly change: CallChangeBody }) {
  const { t } = useTexts();
  const actors = { key: t("byKey"), user: t("byUser"), operator: t("byOperator"), system: t("bySystem") };
  const channels = { left: t("sideLeft"), right: t("sideRight"), unknown: t("sideUnknown"), none: t("asCampaign") };
  const lines: string[] = [];
  const { agent, agent_channel: side, metadata } = changed;
  if (agent) lines.push(t("changedAgent", { from: agent.from.name ?? t("erased"), to: agent.to.name ?? t("erased") }));
  if (side) lines.push(t("changedSide", { from: channels[side.from ?? "none"], to: channels[side.to ?? "none"] }));
  if (metadata) {
    const { removed, added } = changedEntries(metadata.from, metadata.to);
    lines.push(...removed.map(({ key, value }) => t("removedEntry", { key, value })));
    lines.push(...added.map(({ key, value }) => t("addedEntry", { key, value })));
  }
  return (
    <div>
      <Text size="xs" c="dimmed">
        <Timestamp at={at} /> · {actors[actor.type]}
      </Text>
      {lines.map((line) => (
        <Text key={line} size="sm" style={{ overflowWrap: "anywhere" }}>
          {line}
        </Text>
      ))}
    </div>
  );
}
