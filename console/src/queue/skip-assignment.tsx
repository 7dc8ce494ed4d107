import type { AssignmentBody, SkipReason } from "@hearback/sdk";
import { Radio, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useSkip } from "./queries.ts";
import { skipReasons, useSkipReason } from "./skip-reason.ts";
import { useTexts } from "./texts.ts";

interface SkipAssignmentProps {
  readonly assignment: AssignmentBody;
  /** The call was skipped. */
  readonly onSkipped?: () => void;
  readonly onClose: () => void;
}

/** Asks why a drawn call cannot be reviewed. */
export function SkipAssignment({ assignment, onSkipped, onClose }: SkipAssignmentProps) {
  const { t } = useTexts();
  const reasonText = useSkipReason();
  const [reason, setReason] = useState<SkipReason>();
  const [note, setNote] = useState("");
  const skip = useSkip(assignment.id, () => {
    toast(t("skipped"));
    onClose();
    onSkipped?.();
  });
  return (
    <DialogForm
      action={t("skipCall")}
      pending={skip.isPending}
      error={skip.error}
      onSubmit={() => reason && skip.mutate({ reason, note: note.trim() })}
      onClose={onClose}
    >
      <Text size="sm">{t("skipDetail")}</Text>
      <Radio.Group
        label={t("reason")}
        withAsterisk
        value={reason ?? null}
        onChange={(value) => setReason(value as SkipReason)}
      >
        <Stack gap="xs" mt="xs">
          {skipReasons.map((value, index) => (
            <Radio
              key={value}
              value={value}
              required
              label={reasonText(value)}
              description={t(`${value}ReasonDetail`)}
              {...(index === 0 && { "data-autofocus": true })}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label={t("note")}
        description={t("noteDetail")}
        required={reason === "other"}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      {assignment.review_id !== null && (
        <Text size="sm" c="dimmed">
          {t("skipDraft")}
        </Text>
      )}
    </DialogForm>
  );
}
