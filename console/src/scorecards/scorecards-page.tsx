import type { ScorecardBody } from "@hearback/sdk";
import { Badge, Button, Group, SegmentedControl, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useSession } from "../access/queries.ts";
import { campaignQueries } from "../campaigns/queries.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { scorecardQueries } from "./queries.ts";
import { mayManage } from "./rights.ts";
import { type Translate, useTexts } from "./texts.ts";

const NewScorecard = lazyComponent(async () => (await import("./new-scorecard.tsx")).NewScorecard);

export function ScorecardsPage() {
  const { t } = useTexts();
  const { user } = useSession();
  const navigate = useNavigate();
  const { choice, change } = useSearchParams();
  const [creating, { open, close }] = useDisclosure(false);
  const isManager = mayManage(user.role);
  const retired = choice("show", ["retired"]) === "retired";
  const createButton = (
    <Button onClick={open} leftSection={<Icon name="plus" />}>
      {t("newScorecard")}
    </Button>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={isManager && createButton}>
      <SegmentedControl
        aria-label={t("show")}
        style={{ alignSelf: "flex-start" }}
        value={retired ? "retired" : "active"}
        onChange={(value) => change({ show: value === "retired" ? value : undefined })}
        data={[
          { value: "active", label: t("showActive") },
          { value: "retired", label: t("showRetired") },
        ]}
      />
      <ScorecardTable retired={retired} onCreate={isManager ? open : undefined} />
      <Dialog opened={creating} title={t("newScorecard")} size="lg" onClose={close}>
        <NewScorecard onClose={close} onCreated={(id) => void navigate({ to: "/scorecards/$id", params: { id } })} />
      </Dialog>
    </Page>
  );
}

interface ScorecardTableProps {
  readonly retired: boolean;
  /** Undefined: this user may not create one. */
  readonly onCreate: (() => void) | undefined;
}

function ScorecardTable({ retired, onCreate }: ScorecardTableProps) {
  const { t } = useTexts();
  const list = useInfiniteQuery(scorecardQueries.list({ retired }));
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  const empty = retired ? (
    <EmptyState icon="box" title={t("noneRetired")} />
  ) : (
    <EmptyState icon="scorecard" title={t("none")}>
      <Text maw={480}>{t(onCreate ? "noneDetail" : "noneDetailReader")}</Text>
      {onCreate && (
        <Button mt="sm" onClick={onCreate} leftSection={<Icon name="plus" />}>
          {t("createFirst")}
        </Button>
      )}
    </EmptyState>
  );
  return (
    <PagedTable
      list={list}
      rows={list.data?.pages.flatMap(({ scorecards }) => scorecards)}
      empty={empty}
      label={t("title")}
      columns={columnsOf(t, (id) => names.get(id) ?? id)}
      rowKey={({ id }) => id}
    />
  );
}

const columnsOf = (
  t: Translate,
  campaignName: (id: string) => string,
): readonly [Column<ScorecardBody>, ...Column<ScorecardBody>[]] => [
  {
    key: "name",
    title: t("name"),
    cell: ({ id, name }) => (
      <TextLink to="/scorecards/$id" params={{ id }} fw={600} className="breakable">
        {name}
      </TextLink>
    ),
  },
  {
    key: "version",
    title: t("version"),
    cell: ({ latest_version: version, has_draft }) => (
      <Group gap="xs">
        <span className="tabular">{version === null ? t("neverPublished") : version}</span>
        {has_draft && (
          <Badge variant="light" color="orange" tt="none">
            {t("draft")}
          </Badge>
        )}
      </Group>
    ),
  },
  {
    key: "campaigns",
    title: t("campaigns"),
    cell: ({ campaign_ids: ids }) => <Campaigns names={ids.map(campaignName)} />,
  },
  { key: "created", title: t("created"), cell: ({ created_at }) => <Timestamp at={created_at} day /> },
];

const mostNames = 3;

function Campaigns({ names }: { readonly names: readonly string[] }) {
  const { t } = useTexts();
  if (names.length === 0) return t("campaignsAll");
  const rest = names.length - mostNames;
  const shown = names.slice(0, mostNames).join(", ");
  return rest > 0 ? t("campaignsAndMore", { names: shown, count: rest }) : shown;
}
