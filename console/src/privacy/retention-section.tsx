import type { CampaignBody } from "@hearback/sdk";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { campaignQueries } from "../campaigns/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { usePrivacySearch } from "./search.ts";
import { useTexts } from "./texts.ts";

/** Retention per campaign. It is edited on the campaigns page. */
export function RetentionSection() {
  const { t } = useTexts();
  const { change } = usePrivacySearch();
  const list = useInfiniteQuery(campaignQueries.list({ archived: "all" }));
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Text maw={640}>{t("retentionDetail")}</Text>
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<Icon name="trash" />}
            onClick={() => change({ tab: "erasures", kind: "retention" })}
          >
            {t("retentionRuns")}
          </Button>
          <Button component={Link} to="/campaigns" variant="default" leftSection={<Icon name="edit" />}>
            {t("retentionChange")}
          </Button>
        </Group>
      </Group>
      <PagedTable
        label={t("retention")}
        list={list}
        rows={list.data?.pages.flatMap(({ campaigns }) => campaigns)}
        rowKey={({ id }) => id}
        columns={[
          { key: "campaign", title: t("campaign"), cell: (campaign) => <CampaignName campaign={campaign} /> },
          { key: "kept", title: t("kept"), cell: ({ retention_days }) => <Kept days={retention_days} /> },
        ]}
        empty={
          <EmptyState icon="campaign" title={t("noCampaign")}>
            <TextLink to="/campaigns">{t("retentionChange")}</TextLink>
          </EmptyState>
        }
      />
    </Stack>
  );
}

function CampaignName({ campaign: { id, name, archived } }: { readonly campaign: CampaignBody }) {
  const { t } = useTexts();
  return (
    <Group gap="xs">
      <Text span fw={600}>
        {name}
      </Text>
      <Text span size="sm" c="dimmed" ff="monospace">
        {id}
      </Text>
      {archived && <StatusBadge color="gray">{t("archived")}</StatusBadge>}
    </Group>
  );
}

function Kept({ days }: { readonly days: number | null }) {
  const { t } = useTexts();
  const { number } = useFormat();
  return days === null ? t("keptForever") : t("keptDays", { count: days, number: number(days) });
}
