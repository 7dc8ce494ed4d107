import type { CalibrationDetailBody } from "@hearback/sdk";
import { Alert, Text, VisuallyHidden } from "@mantine/core";
import { useSession } from "../access/queries.ts";
import { callTime } from "../reviews/call-time.ts";
import { useNames } from "../reviews/people/names.ts";
import { Icon } from "../ui/icon.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Section } from "../ui/section.tsx";
import { type Column, DataTable } from "../ui/table/data-table.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { calibrationLink } from "./calibration-link.ts";
import classes from "./calibrations.module.css";
import { isToScore } from "./find-next-call.ts";
import { useChangeSession } from "./queries.ts";
import { useRemoveProblem } from "./remove-problem.ts";
import { useTexts } from "./texts.ts";
import { NextInSession } from "./to-score.tsx";

interface OpenSessionProps {
  readonly session: CalibrationDetailBody;
  readonly manages: boolean;
}

/** Progress of an open session, without answers. */
export function OpenSession({ session, manages }: OpenSessionProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const isParticipant = session.progress.some(({ user_id }) => user_id === user.id);
  const isDone = isParticipant && !session.call_list.some(isToScore);
  return (
    <>
      <Alert variant="light" icon={<Icon name="lock" />}>
        {t(isDone ? "blindDone" : "blind")}
      </Alert>
      {isParticipant && <NextInSession session={session} isFirst />}
      <Progress session={session} manages={manages} />
      <Calls session={session} manages={manages} isParticipant={isParticipant} />
    </>
  );
}

type Person = CalibrationDetailBody["progress"][number];

function Progress({ session, manages }: OpenSessionProps) {
  const { t } = useTexts();
  const names = useNames(session.progress.map(({ user_id }) => user_id));
  const showProblem = useRemoveProblem();
  const change = useChangeSession(session.id, () => {});
  const remove = (id: string) =>
    change.mutate(
      {
        removeParticipantIds: [id],
        ...(session.expert_id === id && { expertId: null }),
      },
      { onError: showProblem },
    );
  const columns: readonly [Column<Person>, ...Column<Person>[]] = [
    {
      key: "name",
      title: t("participant"),
      cell: ({ user_id }) => (
        <span className="breakable">
          {names.user(user_id)}
          {user_id === session.expert_id && (
            <Text span size="sm" c="dimmed">
              {` · ${t("expert")}`}
            </Text>
          )}
        </span>
      ),
    },
    { key: "bar", title: t("progress"), width: "40%", cell: ({ submitted }) => <Bar {...{ submitted, session }} /> },
    {
      key: "submitted",
      title: t("submitted"),
      align: "right",
      cell: ({ submitted }) => (
        <span className="tabular nowrap">{t("of", { done: submitted, total: session.calls })}</span>
      ),
    },
  ];
  // After the first submission, the server refuses to remove anybody. A session has at least two participants.
  const mayRemove = manages && session.submitted === 0 && session.progress.length > 2;
  return (
    <Section title={t("participants")}>
      <DataTable
        label={t("participants")}
        columns={columns}
        rows={session.progress}
        rowKey={({ user_id }) => user_id}
        {...(mayRemove && {
          actions: ({ user_id }: Person) => (
            <RowMenu
              name={names.user(user_id)}
              actions={[{ label: t("remove"), icon: "trash", dangerous: true, onClick: () => remove(user_id) }]}
            />
          ),
        })}
      />
    </Section>
  );
}

function Bar({ submitted, session }: { readonly submitted: number; readonly session: CalibrationDetailBody }) {
  const { t } = useTexts();
  const total = session.calls;
  return (
    <>
      <div className={classes.track} aria-hidden="true">
        <span style={{ width: `${(submitted / Math.max(1, total)) * 100}%` }} />
      </div>
      <VisuallyHidden>{t("of", { done: submitted, total })}</VisuallyHidden>
    </>
  );
}

type Call = CalibrationDetailBody["call_list"][number];

interface CallsProps extends OpenSessionProps {
  readonly isParticipant: boolean;
}

function Calls({ session, manages, isParticipant }: CallsProps) {
  const { t } = useTexts();
  const format = useFormat();
  const showProblem = useRemoveProblem();
  const change = useChangeSession(session.id, () => {});
  const remove = (id: string) => change.mutate({ removeCallIds: [id] }, { onError: showProblem });
  const ownColumns: readonly Column<Call>[] = [
    { key: "state", title: t("yourReview"), cell: (call) => <OwnState call={call} /> },
    {
      key: "score",
      title: t("score"),
      width: 140,
      cell: (call) =>
        isToScore(call) && (
          <LinkButton
            {...calibrationLink(session, call.call_id)}
            size="compact-sm"
            variant="light"
            aria-label={t(call.review ? "continueCall" : "scoreCall", {
              time: format.dateTime(callTime(call.call_id)),
            })}
          >
            {t(call.review ? "continue" : "start")}
          </LinkButton>
        ),
    },
  ];
  const columns: readonly [Column<Call>, ...Column<Call>[]] = [
    {
      key: "call",
      title: t("call"),
      cell: ({ call_id, erased }) =>
        erased ? (
          <Text span inherit c="dimmed">
            {t("erasedCall")}
          </Text>
        ) : (
          <TextLink to="/calls/$id" params={{ id: call_id }} fw={600}>
            <Timestamp at={callTime(call_id)} />
          </TextLink>
        ),
    },
    ...(isParticipant ? ownColumns : []),
  ];
  const mayRemove = manages && session.submitted === 0 && session.call_list.length > 1;
  return (
    <Section title={t("calls")}>
      <DataTable
        label={t("calls")}
        columns={columns}
        rows={session.call_list}
        rowKey={({ call_id }) => call_id}
        {...(mayRemove && {
          actions: ({ call_id }: Call) => (
            <RowMenu
              name={format.dateTime(callTime(call_id))}
              actions={[{ label: t("remove"), icon: "trash", dangerous: true, onClick: () => remove(call_id) }]}
            />
          ),
        })}
      />
    </Section>
  );
}

function OwnState({ call: { erased, review } }: { readonly call: Call }) {
  const { t } = useTexts();
  if (review && review.state !== "draft")
    return (
      <TextLink to="/reviews/$id" params={{ id: review.id }}>
        {t("scored")}
      </TextLink>
    );
  return erased ? null : t(review ? "started" : "notStarted");
}
