import type { PlanBody } from "@hearback/sdk";
import { SegmentedControl, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { reviewQueries } from "../reviews/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Page } from "../ui/page.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { planQueries } from "./queries.ts";
import { type Translate, useTexts } from "./texts.ts";

export function PlansPage() {
  const { t } = useTexts();
  const { choice, change } = useSearchParams();
  const ended = choice("show", ["all"]) === "all";
  const createButton = (
    <LinkButton to="/plans/new" leftSection={<Icon name="plus" />}>
      {t("createPlan")}
    </LinkButton>
  );
  return (
    <Page title={t("title")} intro={t("intro")} actions={createButton}>
      <SegmentedControl
        aria-label={t("show")}
        style={{ alignSelf: "flex-start" }}
        value={ended ? "all" : "active"}
        onChange={(value) => change({ show: value === "all" ? value : undefined })}
        data={[
          { value: "active", label: t("showActive") },
          { value: "all", label: t("showAll") },
        ]}
      />
      <PlanTable ended={ended} />
    </Page>
  );
}

function PlanTable({ ended }: { readonly ended: boolean }) {
  const { t } = useTexts();
  const list = useInfiniteQuery(planQueries.list({ ended }));
  const { data: scorecards = [] } = useQuery(reviewQueries.scorecards);
  const names = new Map(scorecards.map(({ id, name }) => [id, name]));
  return (
    <PagedTable
      label={t("title")}
      list={list}
      rows={list.data?.pages.flatMap(({ plans }) => plans)}
      rowKey={({ id }) => id}
      columns={columnsOf(t, (id) => names.get(id) ?? "…")}
      empty={
        <EmptyState icon="draw" title={t("none")}>
          <Text maw={520} c="dimmed">
            {t("noneDetail")}
          </Text>
          <LinkButton to="/plans/new" mt="sm" leftSection={<Icon name="plus" />}>
            {t("createFirst")}
          </LinkButton>
        </EmptyState>
      }
    />
  );
}

const columnsOf = (
  t: Translate,
  scorecardName: (id: string) => string,
): readonly [Column<PlanBody>, ...Column<PlanBody>[]] => [
  {
    key: "name",
    title: t("name"),
    cell: ({ id, name }) => (
      <TextLink to="/plans/$id" params={{ id }} fw={600} className="breakable">
        {name}
      </TextLink>
    ),
  },
  {
    key: "draws",
    title: t("drawsColumn"),
    cell: ({ per_agent: count, period }) => t(`drawn_${period}`, { count }),
  },
  {
    key: "scorecard",
    title: t("scorecard"),
    cell: ({ scorecard_id }) => <span className="breakable">{scorecardName(scorecard_id)}</span>,
  },
  { key: "reviewers", title: t("reviewers"), cell: ({ reviewers }) => reviewers.length, align: "right" },
  { key: "state", title: t("state"), cell: (plan) => <PlanState plan={plan} /> },
];

export function PlanState({ plan }: { readonly plan: PlanBody }) {
  const { t } = useTexts();
  if (plan.ended_at) {
    return (
      <span>
        <StatusBadge color="gray">{t("ended")}</StatusBadge> <Timestamp at={plan.ended_at} day />
      </span>
    );
  }
  return <StatusBadge color={plan.pending ? "orange" : "green"}>{t(plan.pending ? "pending" : "active")}</StatusBadge>;
}
