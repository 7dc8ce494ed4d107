import { TextInput } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { type AgentSide, AgentSideField } from "./agent-side.tsx";
import { useCreateCampaign } from "./queries.ts";
import { suggestId } from "./suggest-id.ts";
import { useTexts } from "./texts.ts";

export function NewCampaign({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts();
  const create = useCreateCampaign();
  const [name, setName] = useState("");
  const [chosenId, setChosenId] = useState<string>();
  const [agentChannel, setAgentChannel] = useState<AgentSide>("unknown");
  const id = chosenId ?? suggestId(name);
  const submit = () =>
    create.mutate(
      { name: name.trim(), agentChannel, ...(id && { id }) },
      {
        onSuccess() {
          toast(t("createdNamed", { name: name.trim() }));
          onClose();
        },
      },
    );
  return (
    <DialogForm
      action={t("create")}
      pending={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField label={t("name")} data-autofocus value={name} onChange={setName} />
      <TextInput
        label={t("id")}
        description={t("idDetail")}
        maxLength={100}
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
        title={t("idForm")}
        spellCheck={false}
        value={id}
        onChange={(event) => setChosenId(event.currentTarget.value)}
      />
      <AgentSideField value={agentChannel} onChange={setAgentChannel} />
    </DialogForm>
  );
}
