import type { WebhookBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
import { WholeNumber } from "../ui/whole-number.tsx";
import { useRotateSecret } from "./queries.ts";
import { SecretShown } from "./secret-shown.tsx";

interface RotateSecretProps {
  readonly webhook: WebhookBody;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Another secret, beside which the old one is good for a while. */
export function RotateSecret({ webhook, opened, onClose }: RotateSecretProps) {
  const { t } = useTexts("webhooks");
  const [secret, setSecret] = useState<string>();
  const done = () => {
    setSecret(undefined);
    onClose();
  };
  return (
    <Dialog opened={opened || secret !== undefined} title={t("rotate")} size="lg" dismissible={!secret} onClose={done}>
      {secret ? (
        <SecretShown secret={secret} onDone={done} />
      ) : (
        <Rotating id={webhook.id} onSecret={setSecret} onClose={done} />
      )}
    </Dialog>
  );
}

interface RotatingProps {
  readonly id: string;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

function Rotating({ id, onSecret, onClose }: RotatingProps) {
  const { t } = useTexts("webhooks");
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
      <WholeNumber
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
