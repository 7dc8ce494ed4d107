import type { CampaignBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { AgentSideName } from "./agent-side.tsx";
import { campaignQueries } from "./queries.ts";
import { type Translate, useTexts } from "./texts.ts";

export type Shown = "open" | "archived" | "all";

interface CampaignTableProps {
  readonly shown: Shown;
  readonly onChange: (campaign: CampaignBody) => void;
  readonly onArchive: (campaign: CampaignBody) => void;
}

const archivedOf = { open: false, archived: true, all: "all" } as const;

export function CampaignTable({ shown, onChange, onArchive }: CampaignTableProps) {
  const { t } = useTexts();
  const list = useInfiniteQuery(campaignQueries.list({ archived: archivedOf[shown] }));
  const none = shown === "archived" ? "noneArchived" : "none";
  return (
    <PagedTable
      list={list}
      label={t("title")}
      columns={columnsOf(t)}
      rows={list.data?.pages.flatMap(({ campaigns }) => campaigns)}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon="campaign" title={t(none)}>
          <Text maw={480}>{t(`${none}Detail`)}</Text>
        </EmptyState>
      }
      actions={(campaign) => (
        <RowMenu
          name={campaign.name}
          actions={[
            { label: t("change"), icon: "edit", onClick: () => onChange(campaign) },
            {
              label: t(campaign.archived ? "reactivate" : "archive"),
              icon: campaign.archived ? "refresh" : "box",
              onClick: () => onArchive(campaign),
            },
          ]}
        />
      )}
    />
  );
}

const columnsOf = (t: Translate): readonly [Column<CampaignBody>, ...Column<CampaignBody>[]] => [
  {
    key: "name",
    title: t("name"),
    cell: ({ id, name }) => (
      <>
        <Text inherit fw={600}>
          {name}
        </Text>
        <Text size="sm" ff="monospace" c="dimmed">
          {id}
        </Text>
      </>
    ),
  },
  { key: "side", title: t("side"), cell: ({ agent_channel }) => <AgentSideName side={agent_channel} /> },
  {
    key: "retention",
    title: t("retention"),
    cell: ({ retention_days: count }) => (count === null ? t("retentionForEver") : t("days", { count })),
  },
  { key: "created", title: t("created"), cell: ({ created_at }) => <Timestamp at={created_at} day /> },
  {
    key: "status",
    title: t("status"),
    cell: ({ archived }) => (
      <StatusBadge color={archived ? "gray" : "green"}>{t(archived ? "archived" : "open")}</StatusBadge>
    ),
  },
  {
    key: "calls",
    title: t("calls"),
    cell: ({ id, name }) => (
      <TextLink to="/calls" search={{ campaign: id }} aria-label={t("seeCallsOf", { name })}>
        {t("seeCalls")}
      </TextLink>
    ),
  },
];
