import type { KeyBody, NewKeyBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { DialogForm } from "../ui/dialog-form.tsx";
import { WholeNumber } from "../ui/whole-number.tsx";
import { useRotateKey } from "./queries.ts";

interface RotateKeyProps {
  readonly keyBody: KeyBody;
  readonly onMade: (key: NewKeyBody) => void;
  readonly onClose: () => void;
}

/** A new key in the place of an old one, which goes on working for a while. */
export function RotateKey({ keyBody, onMade, onClose }: RotateKeyProps) {
  const { t } = useTexts("keys");
  const rotate = useRotateKey(onMade);
  const [overlapHours, setOverlapHours] = useState<number | undefined>(24);
  const submit = () => rotate.mutate({ id: keyBody.id, overlapHours });
  return (
    <DialogForm
      action={t("rotate")}
      pending={rotate.isPending}
      error={rotate.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">{t("rotateDetail", { name: keyBody.name })}</Text>
      <WholeNumber
        label={t("overlap")}
        description={t("overlapDetail")}
        required
        data-autofocus
        min={0}
        max={168}
        value={overlapHours}
        onChange={setOverlapHours}
      />
    </DialogForm>
  );
}
