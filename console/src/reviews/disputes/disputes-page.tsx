import type { DisputeBody } from "@hearback/sdk";
import { Badge, Group, SegmentedControl, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../access/queries.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import { Page } from "../../ui/page.tsx";
import type { Column } from "../../ui/table/data-table.tsx";
import { PagedTable } from "../../ui/table/paged-table.tsx";
import { RowMenu } from "../../ui/table/row-menu.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { daysLeft } from "../days-left.ts";
import { ScorecardName } from "../list/review-columns.tsx";
import { type Names, useNames } from "../people/names.ts";
import { reviewQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";

const states = ["open", "resolved"] as const;

export function DisputesPage() {
  const { t } = useTexts();
  const { user } = useSession();
  const { params, choice, change } = useSearchParams();
  const manages = user.role !== "reviewer";
  const state = choice("state", states) ?? "open";
  const mine = !manages || params.mine === "yes";
  return (
    <Page title={t("disputes")} intro={t(manages ? "disputesIntro" : "disputesIntroMine")}>
      <Group gap="sm">
        <SegmentedControl
          aria-label={t("state")}
          value={state}
          onChange={(value) => change({ state: value === "open" ? undefined : value })}
          data={states.map((value) => ({ value, label: t(`disputes_${value}`) }))}
        />
        {manages && (
          <SegmentedControl
            aria-label={t("view")}
            value={mine ? "mine" : "all"}
            onChange={(value) => change({ mine: value === "mine" ? "yes" : undefined })}
            data={[
              { value: "all", label: t("disputesAll") },
              { value: "mine", label: t("disputesMine") },
            ]}
          />
        )}
      </Group>
      <DisputeTable state={state} mine={mine} manages={manages} />
    </Page>
  );
}

const AssignArbiter = lazyComponent(async () => (await import("./assign-arbiter.tsx")).AssignArbiter);

interface DisputeTableProps {
  readonly state: (typeof states)[number];
  readonly mine: boolean;
  readonly manages: boolean;
}

function DisputeTable({ state, mine, manages }: DisputeTableProps) {
  const { t } = useTexts();
  const list = useInfiniteQuery(reviewQueries.disputes({ state, mine }));
  const disputes = list.data?.pages.flatMap((page) => page.disputes);
  const names = useNames(
    (disputes ?? []).flatMap(({ agent_id, arbiter_id, resolved_by }) => [
      agent_id,
      arbiter_id,
      resolved_by?.id ?? null,
    ]),
  );
  const columns = useColumns(state, names);
  const { user } = useSession();
  const [assigning, setAssigning] = useState<DisputeBody>();
  const close = () => setAssigning(undefined);
  return (
    <>
      <PagedTable
        label={t("disputes")}
        list={list}
        // Overdue ones first; the others keep their order.
        rows={disputes?.toSorted((a, b) => Number(b.overdue) - Number(a.overdue))}
        rowKey={({ id }) => id}
        columns={columns}
        {...(manages &&
          state === "open" && {
            actions: (dispute: DisputeBody) =>
              // The reviewer does not choose who decides.
              dispute.reviewer.id !== user.id && (
                <RowMenu
                  name={names.user(dispute.agent_id)}
                  actions={[{ label: t("reassign"), icon: "people", onClick: () => setAssigning(dispute) }]}
                />
              ),
          })}
        empty={
          <EmptyState icon="dispute" title={t(`${state === "open" ? "noneOpen" : "noneDecided"}${mine ? "Mine" : ""}`)}>
            <Text c="dimmed" maw={480}>
              {t(manages ? "noDisputesDetail" : "noDisputesDetailMine")}
            </Text>
          </EmptyState>
        }
      />
      <Dialog opened={assigning !== undefined} title={t("assignTitle")} onClose={close}>
        {assigning && <AssignArbiter dispute={assigning} onClose={close} />}
      </Dialog>
    </>
  );
}

function useColumns(
  state: DisputeTableProps["state"],
  names: Names,
): readonly [Column<DisputeBody>, ...Column<DisputeBody>[]] {
  const { t } = useTexts();
  const { user } = useSession();
  const open: readonly Column<DisputeBody>[] = [
    { key: "due", title: t("due"), cell: (dispute) => <Due dispute={dispute} /> },
    {
      key: "arbiter",
      title: t("arbiter"),
      cell: ({ arbiter_id }) =>
        arbiter_id === null ? t("nobody") : arbiter_id === user.id ? t("you") : names.user(arbiter_id),
    },
  ];
  const resolved: readonly Column<DisputeBody>[] = [
    { key: "at", title: t("decidedAt"), cell: ({ resolved_at }) => resolved_at && <Timestamp at={resolved_at} /> },
    { key: "by", title: t("decidedBy"), cell: ({ resolved_by }) => resolved_by && names.actor(resolved_by) },
    {
      key: "changed",
      title: t("result"),
      cell: ({ items }) => {
        const changed = items.filter(({ decision }) => decision === "changed").length;
        return t("changedOf", { changed, total: items.length });
      },
    },
  ];
  return [
    { key: "agent", title: t("agent"), cell: (dispute) => <DisputeLink dispute={dispute} names={names} /> },
    { key: "scorecard", title: t("scorecard"), cell: ({ scorecard }) => <ScorecardName scorecard={scorecard} /> },
    { key: "opened", title: t("opened"), cell: ({ opened_at }) => <Timestamp at={opened_at} /> },
    { key: "questions", title: t("questions"), cell: ({ items }) => items.length },
    ...(state === "open" ? open : resolved),
  ];
}

function DisputeLink({ dispute, names }: { readonly dispute: DisputeBody; readonly names: Names }) {
  const { t } = useTexts();
  return (
    <Group gap="xs">
      <TextLink
        to="/reviews/$id"
        params={{ id: dispute.review_id }}
        search={{ from: "disputes" }}
        inherit
        fw={600}
        className="breakable"
      >
        {names.user(dispute.agent_id)}
      </TextLink>
      {dispute.level > 1 && (
        <Badge variant="default" tt="none" fw={500}>
          {t("secondLevel")}
        </Badge>
      )}
    </Group>
  );
}

function Due({ dispute: { due_at, overdue } }: { readonly dispute: DisputeBody }) {
  const { t } = useTexts();
  return (
    <Group gap="xs">
      <Timestamp at={due_at} day />
      {overdue ? (
        <Badge color="red" variant="light" tt="none">
          {t("overdue")}
        </Badge>
      ) : (
        <Text span size="sm" c="dimmed">
          {t("daysLeft", { count: daysLeft(due_at) })}
        </Text>
      )}
    </Group>
  );
}
