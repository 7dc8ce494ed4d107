import type { CalibrationDetailBody } from "@hearback/sdk";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useNames } from "../reviews/people/names.ts";
import { reviewQueries } from "../reviews/queries.ts";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { wallTime } from "../ui/time/zoned-time.ts";
import { ExpertField, ParticipantField } from "./participant-fields.tsx";
import { useChangeSession, useCloseSession, useDeleteSession } from "./queries.ts";
import { maxCalls, toDueAt } from "./session-form.ts";
import { SessionProblem } from "./session-problem.tsx";
import { useTexts } from "./texts.ts";

/** Loaded when its dialog opens. */
const CallPicker = lazyComponent(async () => (await import("./call-picker.tsx")).CallPicker);

interface SessionProps {
  readonly session: CalibrationDetailBody;
}

interface DialogProps extends SessionProps {
  readonly onClose: () => void;
}

type Doing = "edit" | "calls" | "participants" | "close" | "delete";

const titles = { edit: "editSession", calls: "addCalls", participants: "addParticipants" } as const;

/** Actions of supervisors on an open session. */
export function SessionActions({ session }: SessionProps) {
  const { t } = useTexts();
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  const dialog = { session, onClose: done };
  return (
    <>
      <Button leftSection={<Icon name="check" size={16} />} onClick={() => setDoing("close")}>
        {t("closeSession")}
      </Button>
      <RowMenu
        name={session.name}
        actions={[
          { label: t("addCalls"), icon: "plus", onClick: () => setDoing("calls") },
          { label: t("addParticipants"), icon: "people", onClick: () => setDoing("participants") },
          { label: t("editSession"), icon: "edit", onClick: () => setDoing("edit") },
          ...(session.submitted === 0
            ? [
                {
                  label: t("deleteSession"),
                  icon: "trash" as const,
                  dangerous: true,
                  onClick: () => setDoing("delete"),
                },
              ]
            : []),
        ]}
      />
      {(["edit", "calls", "participants"] as const).map((what) => (
        <Dialog
          key={what}
          opened={doing === what}
          title={t(titles[what])}
          {...(what === "calls" && { size: "lg" })}
          onClose={done}
        >
          {doing === what &&
            {
              edit: <EditSession {...dialog} />,
              calls: <AddCalls {...dialog} />,
              participants: <AddParticipants {...dialog} />,
            }[what]}
        </Dialog>
      ))}
      <CloseSession {...dialog} opened={doing === "close"} />
      <DeleteSession {...dialog} opened={doing === "delete"} />
    </>
  );
}

const two = (value: number) => String(value).padStart(2, "0");

function dayOf(at: string | null, zone: string): string {
  if (at === null) return "";
  const { year, month, day } = wallTime(new Date(at), zone);
  return `${year}-${two(month)}-${two(day)}`;
}

function EditSession({ session, onClose }: DialogProps) {
  const { t } = useTexts();
  const { zone } = useFormat();
  const before = dayOf(session.due_at, zone);
  const [name, setName] = useState(session.name);
  const [dueDay, setDueDay] = useState(before);
  const [expertId, setExpertId] = useState(session.expert_id);
  const participantIds = session.progress.map(({ user_id }) => user_id);
  const names = useNames(participantIds);
  const change = useChangeSession(session.id, () => {
    toast(t("changed"));
    onClose();
  });
  return (
    <DialogForm
      action={t("save")}
      pending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ name, expertId, ...(dueDay !== before && { dueAt: toDueAt(dueDay, zone) }) })}
      onClose={onClose}
    >
      <NameField data-autofocus label={t("name")} maxLength={120} value={name} onChange={setName} />
      <ExpertField participantIds={participantIds} value={expertId} nameOf={names.user} onChange={setExpertId} />
      <TextInput
        type="date"
        label={t("due")}
        description={t("dueDetail")}
        inputWrapperOrder={["label", "input", "description", "error"]}
        max="9999-12-31"
        value={dueDay}
        onChange={({ currentTarget }) => setDueDay(currentTarget.value)}
      />
    </DialogForm>
  );
}

function AddCalls({ session, onClose }: DialogProps) {
  const { t } = useTexts();
  const before = session.call_list.map(({ call_id }) => call_id);
  const [added, setAdded] = useState<readonly string[]>([]);
  const { data: scorecards } = useQuery(reviewQueries.scorecards);
  const campaignIds = scorecards?.find(({ id }) => id === session.scorecard.id)?.campaign_ids ?? [];
  const change = useChangeSession(session.id, () => {
    toast(t("callsAdded"));
    onClose();
  });
  const isTooMany = before.length + added.length > maxCalls;
  return (
    <DialogForm
      action={t("addIds", { count: added.length })}
      disabled={added.length === 0 || isTooMany}
      pending={change.isPending}
      onSubmit={() => change.mutate({ addCallIds: added })}
      onClose={onClose}
    >
      <CallPicker
        chosen={[...before, ...added]}
        campaignIds={campaignIds}
        onAdd={(ids) => setAdded((known) => [...new Set([...known, ...ids])])}
      />
      {isTooMany && <Text c="var(--mantine-color-error)">{t("manyCalls")}</Text>}
      {change.error && <SessionProblem error={change.error} />}
    </DialogForm>
  );
}

function AddParticipants({ session, onClose }: DialogProps) {
  const { t } = useTexts();
  const before = session.progress.map(({ user_id }) => user_id);
  const [added, setAdded] = useState<readonly string[]>([]);
  const change = useChangeSession(session.id, () => {
    toast(t("participantsAdded"));
    onClose();
  });
  return (
    <DialogForm
      action={t("add")}
      disabled={added.length === 0}
      pending={change.isPending}
      onSubmit={() => change.mutate({ addParticipantIds: added })}
      onClose={onClose}
    >
      <ParticipantField label={t("participants")} without={before} value={added} onChange={setAdded} />
      {change.error && <SessionProblem error={change.error} />}
    </DialogForm>
  );
}

interface ConfirmSessionProps extends DialogProps {
  readonly opened: boolean;
}

function CloseSession({ session, opened, onClose }: ConfirmSessionProps) {
  const { t } = useTexts();
  const { submitted, calls, participants } = session;
  const close = useCloseSession(session.id, () => {
    toast(t("closed"));
    onClose();
  });
  const missing = calls * participants - submitted;
  return (
    <Confirm
      opened={opened}
      title={t("closeTitle", { name: session.name })}
      action={t("closeSession")}
      pending={close.isPending}
      error={close.error}
      onConfirm={() => close.mutate(undefined)}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text>{t("closeDetail")}</Text>
        {missing > 0 && <Text fw={600}>{t("closeMissing", { count: missing })}</Text>}
      </Stack>
    </Confirm>
  );
}

function DeleteSession({ session, opened, onClose }: ConfirmSessionProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const remove = useDeleteSession(session.id, () => {
    toast(t("deleted"));
    void navigate({ to: "/calibrations" });
  });
  return (
    <Confirm
      opened={opened}
      title={t("deleteTitle", { name: session.name })}
      action={t("deleteSession")}
      dangerous
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Text>{t("deleteDetail")}</Text>
    </Confirm>
  );
}
