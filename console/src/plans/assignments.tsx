import type { AssignmentBody, AssignmentState } from "@hearback/sdk";
import { Badge, Group, Select, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DueDate } from "../queue/due-date.tsx";
import { assignmentQueries } from "../queue/queries.ts";
import { useSkipReason } from "../queue/skip-reason.ts";
import { callTime } from "../reviews/call-time.ts";
import { type Names, useNames } from "../reviews/people/names.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import classes from "./plans.module.css";
import { planQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

const Reassign = lazyComponent(async () => (await import("./reassign.tsx")).Reassign);

const states = ["open", "done", "skipped"] as const satisfies readonly AssignmentState[];
const unassigned = "none";

/** The drawn calls of a draw. */
export function Assignments({ drawId }: { readonly drawId: string }) {
  const { t } = useTexts();
  const { params, choice, change } = useSearchParams();
  const state = choice("state", states) ?? "open";
  const reviewerId = typeof params.reviewer === "string" ? params.reviewer : undefined;
  const list = useInfiniteQuery(assignmentQueries.list({ drawId, state, reviewerId }));
  const assignments = list.data?.pages.flatMap((page) => page.assignments);
  const { data: reviewers = [] } = useQuery(planQueries.reviewers(drawId));
  const names = useNames([
    ...(assignments ?? []).flatMap(({ agent_id, reviewer_id }) => [agent_id, reviewer_id]),
    ...reviewers.map(({ user_id }) => user_id),
  ]);
  const [reassigning, setReassigning] = useState<AssignmentBody>();
  const close = () => setReassigning(undefined);
  const columns = useColumns(state, names);
  return (
    <Stack gap="xs" component="section" aria-labelledby="assignments">
      <Title order={3} size="h5" id="assignments">
        {t("drawnCalls")}
      </Title>
      <div className={classes.filters}>
        <Select
          label={t("state")}
          allowDeselect={false}
          data={states.map((value) => ({ value, label: t(value) }))}
          value={state}
          onChange={(value) => change({ state: value === "open" ? undefined : (value ?? undefined) })}
        />
        <Select
          label={t("reviewer")}
          placeholder={t("any")}
          clearable
          searchable
          data={[
            { value: unassigned, label: t("unassigned") },
            ...reviewers.map(({ user_id }) => ({ value: user_id, label: names.user(user_id) })),
          ]}
          value={reviewerId ?? null}
          onChange={(value) => change({ reviewer: value ?? undefined })}
        />
      </div>
      <PagedTable
        label={t("drawnCalls")}
        list={list}
        rows={assignments}
        rowKey={({ id }) => id}
        columns={columns}
        {...(state === "open" && {
          actions: (assignment: AssignmentBody) => (
            <RowMenu
              name={names.user(assignment.agent_id)}
              actions={[{ label: t("reassign"), icon: "people", onClick: () => setReassigning(assignment) }]}
            />
          ),
        })}
        empty={<EmptyState icon="check" title={t(`noneIn_${state}`)} />}
      />
      <Dialog opened={reassigning !== undefined} title={t("reassignTitle")} onClose={close}>
        {reassigning && <Reassign assignment={reassigning} onClose={close} />}
      </Dialog>
    </Stack>
  );
}

function useColumns(
  state: AssignmentState,
  names: Names,
): readonly [Column<AssignmentBody>, ...Column<AssignmentBody>[]] {
  const { t } = useTexts();
  return [
    {
      key: "call",
      title: t("call"),
      width: 190,
      cell: ({ call_id }) => (
        <TextLink to="/calls/$id" params={{ id: call_id }} fw={600}>
          <Timestamp at={callTime(call_id)} />
        </TextLink>
      ),
    },
    {
      key: "agent",
      title: t("agent"),
      cell: ({ agent_id }) => <span className="breakable">{names.user(agent_id)}</span>,
    },
    {
      key: "reviewer",
      title: t("reviewer"),
      cell: ({ reviewer_id, kind }) => (
        <Group gap={8} component="span" display="inline-flex">
          <span className="breakable">{reviewer_id ? names.user(reviewer_id) : t("unassigned")}</span>
          {kind === "second" && (
            <Badge component="span" variant="light" color="gray" tt="none" fw={500}>
              {t("secondReview")}
            </Badge>
          )}
        </Group>
      ),
    },
    state === "skipped"
      ? { key: "skip", title: t("reason"), cell: (assignment) => <Skip assignment={assignment} /> }
      : state === "done"
        ? { key: "done", title: t("doneAt"), cell: ({ done_at }) => done_at && <Timestamp at={done_at} /> }
        : { key: "due", title: t("due"), cell: ({ due_at }) => <DueDate at={due_at} /> },
    ...(state === "skipped"
      ? []
      : [
          {
            key: "review",
            title: t("review"),
            cell: ({ review_id }: AssignmentBody) =>
              review_id ? (
                <TextLink to="/reviews/$id" params={{ id: review_id }}>
                  {t(state === "done" ? "openReview" : "started")}
                </TextLink>
              ) : (
                t("notStarted")
              ),
          },
        ]),
  ];
}

function Skip({ assignment: { skipped } }: { readonly assignment: AssignmentBody }) {
  const reasonText = useSkipReason();
  if (!skipped) return null;
  return (
    <>
      {reasonText(skipped.reason)}
      {skipped.note && (
        <Text size="sm" c="dimmed" className="breakable">
          {skipped.note}
        </Text>
      )}
    </>
  );
}
