import type { WebhookWithSecretBody } from "@hearback/sdk";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useCreateWebhook } from "./queries.ts";
import { SecretShown } from "./secret-shown.tsx";
import { WebhookForm } from "./webhook-form.tsx";

interface NewWebhookProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** When its secret has been seen. */
  readonly onMade: (id: string) => void;
}

export function NewWebhook({ opened, onClose, onMade }: NewWebhookProps) {
  const { t } = useTexts("webhooks");
  const [made, setMade] = useState<WebhookWithSecretBody>();
  return (
    <Dialog
      opened={opened || made !== undefined}
      title={made ? t("made") : t("new")}
      size="lg"
      dismissible={!made}
      onClose={onClose}
    >
      {made ? (
        <SecretShown secret={made.secret} onDone={() => onMade(made.id)} />
      ) : (
        <Making {...{ onClose, setMade }} />
      )}
    </Dialog>
  );
}

interface MakingProps {
  readonly onClose: () => void;
  readonly setMade: (webhook: WebhookWithSecretBody) => void;
}

function Making({ onClose, setMade }: MakingProps) {
  const { t } = useTexts("webhooks");
  const create = useCreateWebhook(setMade);
  return (
    <WebhookForm
      action={t("make")}
      pending={create.isPending}
      error={create.error}
      onSubmit={(values) => create.mutate(values)}
      onClose={onClose}
    />
  );
}
