import type { AssignmentBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useHandBack } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface HandBackProps {
  /** undefined: closed. */
  readonly assignment: AssignmentBody | undefined;
  /** The call was handed back. */
  readonly onHandedBack?: () => void;
  readonly onClose: () => void;
}

/** Asks before a drawn call is given to another reviewer. */
export function HandBack({ assignment, onHandedBack, onClose }: HandBackProps) {
  const { t } = useTexts();
  const handBack = useHandBack(() => {
    toast(t("handedBack"));
    onClose();
    onHandedBack?.();
  });
  const close = () => {
    handBack.reset();
    onClose();
  };
  return (
    <Confirm
      opened={assignment !== undefined}
      title={t("handBackTitle")}
      action={t("handBack")}
      pending={handBack.isPending}
      error={handBack.error}
      onConfirm={() => assignment && handBack.mutate(assignment.id)}
      onClose={close}
    >
      <Text>{t(assignment?.review_id ? "handBackDraft" : "handBackDetail")}</Text>
    </Confirm>
  );
}
