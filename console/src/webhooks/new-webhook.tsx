import type { WebhookWithSecretBody } from "@hearback/sdk";
import { useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { NewSecret } from "./new-secret.tsx";
import { useCreateWebhook } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { WebhookForm } from "./webhook-form.tsx";

interface NewWebhookProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Called after the secret was shown. */
  readonly onCreated: (id: string) => void;
}

export function NewWebhook({ opened, onClose, onCreated }: NewWebhookProps) {
  const { t } = useTexts();
  const [created, setCreated] = useState<WebhookWithSecretBody>();
  return (
    <Dialog
      opened={opened || created !== undefined}
      title={created ? t("createdTitle") : t("createWebhook")}
      size="lg"
      dismissible={!created}
      onClose={onClose}
    >
      {created ? (
        <NewSecret secret={created.secret} onDone={() => onCreated(created.id)} />
      ) : (
        <CreateForm onClose={onClose} setCreated={setCreated} />
      )}
    </Dialog>
  );
}

interface MakingProps {
  readonly onClose: () => void;
  readonly setCreated: (webhook: WebhookWithSecretBody) => void;
}

function CreateForm({ onClose, setCreated }: MakingProps) {
  const { t } = useTexts();
  const create = useCreateWebhook(setCreated);
  return (
    <WebhookForm
      action={t("create")}
      pending={create.isPending}
      error={create.error}
      onSubmit={(values) => create.mutate(values)}
      onClose={onClose}
    />
  );
}
