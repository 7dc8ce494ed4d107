import type { ChangeCall, Metadata } from "@hearback/sdk";
import { Autocomplete, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { DialogForm } from "../../ui/dialog/dialog-form.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { MetadataFields } from "../../ui/form/metadata-fields.tsx";
import { useTexts as useUiTexts } from "../../ui/texts.ts";
import type { KnownCall } from "../known-call.ts";
import { callPageQueries, useChangeCall } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { metadataChange } from "./metadata-change.ts";

interface EditCallProps {
  readonly call: KnownCall;
  readonly onClose: () => void;
}

/** Edits the details of a call. The recording itself is immutable. */
export function EditCall({ call, onClose }: EditCallProps) {
  const { t } = useTexts();
  return (
    <Dialog opened onClose={onClose} title={t("editTitle")} size="lg">
      <Fields call={call} onClose={onClose} />
    </Dialog>
  );
}

type Side = "campaign" | KnownCall["agent_channel"]["value"];

function Fields({ call, onClose }: EditCallProps) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const change = useChangeCall(call.id);
  // Snapshot: concurrent edits must not be reverted by fields that were not touched here.
  const [before] = useState(call);
  const [email, setEmail] = useState(before.agent.email);
  const { agent_channel } = before;
  const sideBefore: Side = agent_channel.from === "call" ? agent_channel.value : "campaign";
  const [side, setSide] = useState<Side>(sideBefore);
  const [entries, setEntries] = useState<Metadata>(before.metadata);
  const metadata = metadataChange(before.metadata, entries);
  const corrections: ChangeCall = {
    ...(email.trim() !== before.agent.email && { agentEmail: email.trim() }),
    ...(side !== sideBefore && { agentChannel: side === "campaign" ? null : side }),
    ...(metadata && { metadata }),
  };
  const submit = () =>
    change.mutate(corrections, {
      onSuccess() {
        toast(t("updated"));
        onClose();
      },
    });
  return (
    <DialogForm
      action={ui.t("save")}
      pending={change.isPending}
      disabled={Object.keys(corrections).length === 0}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t("editDetail")}
      </Text>
      <AgentField email={email} onChange={setEmail} />
      {call.recording.channels !== 1 && <SideField side={side} onChange={setSide} />}
      <MetadataFields named metadata={entries} max={100} onChange={setEntries} />
    </DialogForm>
  );
}

function AgentField({ email, onChange }: { readonly email: string; readonly onChange: (email: string) => void }) {
  const { t } = useTexts();
  const agents = useQuery(callPageQueries.agents);
  return (
    <Autocomplete
      label={t("agent")}
      description={t("agentDetail")}
      type="email"
      required
      maxLength={254}
      data-autofocus
      openOnFocus={false}
      limit={20}
      data={agents.data ?? []}
      value={email}
      onChange={onChange}
    />
  );
}

function SideField({ side, onChange }: { readonly side: Side; readonly onChange: (side: Side) => void }) {
  const { t } = useTexts();
  return (
    <Select
      label={t("agentSide")}
      allowDeselect={false}
      data={[
        { value: "campaign", label: t("asCampaign") },
        { value: "left", label: t("sideLeft") },
        { value: "right", label: t("sideRight") },
        { value: "unknown", label: t("sideUnknown") },
      ]}
      value={side}
      onChange={(value) => value && onChange(value as Side)}
    />
  );
}
