import type { AssignmentBody, QueueBody } from "@hearback/sdk";
import { Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import { callTime } from "../reviews/call-time.ts";
import { useNames } from "../reviews/people/names.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Page } from "../ui/page.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { type AssignmentAction, AssignmentDialogs } from "./assignment-dialogs.tsx";
import { DueDate } from "./due-date.tsx";
import { NextCall } from "./next-call.tsx";
import { assignmentQueries } from "./queries.ts";
import { queueLink } from "./queue-link.ts";
import { queueQuery } from "./queue-query.ts";
import { useTexts } from "./texts.ts";

/** Drawn calls that the user has to review. */
export function QueuePage() {
  const { t } = useTexts();
  const { user, can_pick_calls } = useSession();
  const queue = useQuery({ ...queueQuery, staleTime: 0 });
  const list = useInfiniteQuery(assignmentQueries.list({ reviewerId: user.id, state: "open" }));
  const assignments = list.data?.pages.flatMap((page) => page.assignments);
  const next = queue.data?.next ?? null;
  const names = useNames([...(assignments ?? []), ...(next ? [next] : [])].map(({ agent_id }) => agent_id));
  const [action, setAction] = useState<AssignmentAction>();
  const columns: readonly [Column<AssignmentBody>, ...Column<AssignmentBody>[]] = [
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
    { key: "plan", title: t("plan"), cell: ({ plan }) => <span className="breakable">{plan.name}</span> },
    { key: "due", title: t("due"), cell: ({ due_at }) => <DueDate at={due_at} /> },
    {
      key: "start",
      title: t("review"),
      width: 130,
      cell: (assignment) => (
        <LinkButton
          {...queueLink(assignment)}
          size="compact-sm"
          variant="light"
          aria-label={t(assignment.review_id ? "continueOf" : "startOf", { agent: names.user(assignment.agent_id) })}
        >
          {t(assignment.review_id ? "continue" : "start")}
        </LinkButton>
      ),
    },
  ];
  const isEmpty = assignments?.length === 0;
  return (
    <Page
      title={t("title")}
      intro={t("intro")}
      actions={
        can_pick_calls && (
          <LinkButton to="/calls" variant="default">
            {t("pickCall")}
          </LinkButton>
        )
      }
    >
      {queue.error && !queue.data && <Problem error={queue.error} onRetry={() => void queue.refetch()} />}
      {next && !isEmpty && <NextCall next={next} names={names} />}
      {queue.data && <Counts queue={queue.data} />}
      <Stack gap="xs" component="section" aria-labelledby={isEmpty ? undefined : "open"}>
        {!isEmpty && (
          <Title order={2} size="h5" id="open">
            {t("openReviews")}
          </Title>
        )}
        <PagedTable
          label={t("openReviews")}
          list={list}
          rows={assignments}
          rowKey={({ id }) => id}
          columns={columns}
          actions={(assignment) => (
            <RowMenu
              name={names.user(assignment.agent_id)}
              actions={[
                { label: t("skip"), icon: "skipForward", onClick: () => setAction({ what: "skip", assignment }) },
                { label: t("handBack"), icon: "undo", onClick: () => setAction({ what: "handBack", assignment }) },
              ]}
            />
          )}
          empty={<NothingToReview userId={user.id} />}
        />
      </Stack>
      <AssignmentDialogs action={action} onClose={() => setAction(undefined)} />
    </Page>
  );
}

function NothingToReview({ userId }: { readonly userId: string }) {
  const { t } = useTexts();
  const format = useFormat();
  const { data: at } = useQuery(assignmentQueries.nextDraw(userId));
  return (
    <EmptyState icon="check" title={t("none")}>
      <Text c="dimmed" maw={480}>
        {t("noneDetail")}
      </Text>
      {at && <Text>{t("nextDraw", { at: format.dateTime(at) })}</Text>}
    </EmptyState>
  );
}

function Counts({ queue }: { readonly queue: QueueBody }) {
  const { t } = useTexts();
  return (
    <SimpleGrid cols={3} spacing={{ base: "xs", sm: "md" }}>
      <Count label={t("overdue")} value={queue.overdue} urgent={queue.overdue > 0} />
      <Count label={t("dueThisWeek")} value={queue.due_this_week} />
      <Count label={t("doneThisWeek")} value={queue.done_this_week} />
    </SimpleGrid>
  );
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly urgent?: boolean;
}

/** The API stops counting at 1000. */
const mostCounted = 1000;

function Count({ label, value, urgent = false }: CountProps) {
  const format = useFormat();
  return (
    <Paper withBorder p={{ base: "sm", sm: "md" }}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={700} lh={1.2} className="tabular" {...(urgent && { c: "var(--mantine-color-error)" })}>
        {value >= mostCounted ? `${format.number(mostCounted - 1)}+` : format.number(value)}
      </Text>
    </Paper>
  );
}
