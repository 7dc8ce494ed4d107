import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { useCreateAgent } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface CreateAgentProps {
  /** Email address from a file name, or empty. undefined: closed. */
  readonly email: string | undefined;
  readonly onCreated?: (email: string) => void;
  readonly onClose: () => void;
}

/** Creates an agent without leaving the page, where the chosen files would be lost. */
export function CreateAgent({ email, onCreated, onClose }: CreateAgentProps) {
  const { t } = useTexts();
  return (
    <Dialog opened={email !== undefined} title={t("createAgentTitle")} onClose={onClose}>
      <AgentForm email={email} {...(onCreated && { onCreated })} onClose={onClose} />
    </Dialog>
  );
}

function AgentForm({ email: given = "", onCreated, onClose }: CreateAgentProps) {
  const { t } = useTexts();
  const create = useCreateAgent();
  const [email, setEmail] = useState(given);
  const [name, setName] = useState(nameIn(given));
  const submit = () => {
    const agent = { email: email.trim(), name: name.trim() };
    create.mutate(agent, {
      onSuccess() {
        toast(t("agentCreated", { name: agent.name }));
        onCreated?.(agent.email);
        onClose();
      },
    });
  };
  return (
    <DialogForm
      action={t("create")}
      pending={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">{t("createAgentDetail")}</Text>
      <TextInput
        type="email"
        label={t("agentEmail")}
        required
        maxLength={254}
        autoComplete="off"
        {...(!given && { "data-autofocus": true })}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <NameField
        label={t("agentName")}
        autoComplete="off"
        {...(given && { "data-autofocus": true })}
        value={name}
        onChange={setName}
      />
    </DialogForm>
  );
}

/** "ann.lee@example.com" → "Ann Lee". */
const nameIn = (email: string) =>
  (email.split("@")[0] ?? "")
    .split(/[._-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
