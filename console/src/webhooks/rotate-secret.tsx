import type { WebhookBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { IntegerField } from "../ui/form/integer-field.tsx";
import { NewSecret } from "./new-secret.tsx";
import { useRotateSecret } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface RotateSecretProps {
  readonly webhook: WebhookBody;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Rotates the secret. The old one keeps working for a while. */
export function RotateSecret({ webhook, opened, onClose }: RotateSecretProps) {
  const { t } = useTexts();
  const [secret, setSecret] = useState<string>();
  const done = () => {
    setSecret(undefined);
    onClose();
  };
  return (
    <Dialog opened={opened || secret !== undefined} title={t("rotate")} size="lg" dismissible={!secret} onClose={done}>
      {secret ? (
        <NewSecret secret={secret} onDone={done} />
      ) : (
        <RotateForm id={webhook.id} onSecret={setSecret} onClose={done} />
      )}
    </Dialog>
  );
}

interface RotatingProps {
  readonly id: string;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

function RotateForm({ id, onSecret, onClose }: RotatingProps) {
  const { t } = useTexts();
  const rotate = useRotateSecret(id, ({ secret }) => onSecret(secret));
  const [hours, setHours] = useState<number | undefined>(24);
  return (
    <DialogForm
      action={t("rotateNow")}
      pending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate(hours ?? 0)}
      onClose={onClose}
    >
      <Text>{t("rotateDetail")}</Text>
      <IntegerField
        label={t("overlap")}
        description={t("overlapDetail")}
        min={0}
        max={168}
        required
        data-autofocus
        value={hours}
        onChange={setHours}
      />
    </DialogForm>
  );
}
