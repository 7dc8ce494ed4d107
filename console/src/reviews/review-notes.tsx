import type { ReviewDetailBody } from "@hearback/sdk";
import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { isCallErased } from "./is-call-erased.ts";
import { useAcknowledge, useVoid } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface VoidReviewProps {
  readonly id: string;
  readonly onClose: () => void;
}

interface AcknowledgeReviewProps {
  readonly review: ReviewDetailBody;
  readonly onClose: () => void;
}

/** Same as the API. */
const maxNote = 2000;

export function VoidReview({ id, onClose }: VoidReviewProps) {
  const { t } = useTexts();
  const [reason, setReason] = useState("");
  const voiding = useVoid(id, () => {
    toast(t("voidedToast"));
    onClose();
  });
  const isErased = isCallErased(voiding.error);
  return (
    <DialogForm
      action={t("void")}
      dangerous
      disabled={reason.trim() === "" && !isErased}
      pending={voiding.isPending}
      error={voiding.error}
      onSubmit={() => voiding.mutate(reason.trim())}
      onClose={onClose}
    >
      <Text>{t("voidDetail")}</Text>
      <Textarea
        label={t("reason")}
        description={t("agentReads")}
        required={!isErased}
        data-autofocus
        autosize
        minRows={2}
        maxRows={8}
        maxLength={maxNote}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </DialogForm>
  );
}

export function AcknowledgeReview({ review, onClose }: AcknowledgeReviewProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { actions, disputable_until } = review;
  const [note, setNote] = useState("");
  const acknowledge = useAcknowledge(review.id, () => {
    toast(t("acknowledgedToast"));
    onClose();
  });
  return (
    <DialogForm
      action={t("acknowledge")}
      pending={acknowledge.isPending}
      error={acknowledge.error}
      onSubmit={() => acknowledge.mutate(note.trim())}
      onClose={onClose}
    >
      <Text>
        {t("acknowledgeDetail")}
        {actions.includes("dispute") &&
          disputable_until &&
          ` ${t("acknowledgeThenObject", { date: format.date(disputable_until) })}`}
      </Text>
      <Textarea
        label={t("note")}
        description={t("noteDetail")}
        data-autofocus
        autosize
        minRows={2}
        maxRows={8}
        maxLength={maxNote}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </DialogForm>
  );
}
