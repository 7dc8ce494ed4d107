import type { KeyBody, NewKeyBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { IntegerField } from "../ui/form/integer-field.tsx";
import { useRotateKey } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface RotateKeyProps {
  readonly keyBody: KeyBody;
  readonly onCreated: (key: NewKeyBody) => void;
  readonly onClose: () => void;
}

/** Rotates a key. The old one keeps working for a while. */
export function RotateKey({ keyBody, onCreated, onClose }: RotateKeyProps) {
  const { t } = useTexts();
  const rotate = useRotateKey(onCreated);
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
      <IntegerField
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
