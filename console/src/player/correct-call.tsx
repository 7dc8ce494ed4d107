import type { ChangeCall, Metadata } from "@hearback/sdk";
import { Autocomplete, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../ui/dialog-form.tsx";
import { MetadataFields } from "../ui/metadata-fields.tsx";
import { tell } from "../ui/tell.tsx";
import type { KnownCall } from "./known-call.ts";
import { metadataChange } from "./metadata-change.ts";
import { playerQueries, useChangeCall } from "./queries.ts";

interface CorrectCallProps {
  readonly call: KnownCall;
  readonly onClose: () => void;
}

/** What is said about the call can be wrong; the recording cannot. */
export function CorrectCall({ call, onClose }: CorrectCallProps) {
  const { t } = useTexts("player");
  return (
    <Dialog opened onClose={onClose} title={t("correctTitle")} size="lg">
      <Fields call={call} onClose={onClose} />
    </Dialog>
  );
}

type Side = "campaign" | KnownCall["agent_channel"]["value"];

function Fields({ call, onClose }: CorrectCallProps) {
  const { t } = useTexts("player");
  const ui = useTexts("ui");
  const change = useChangeCall(call.id);
  // As the form shows it: what somebody else corrects meanwhile is not taken back by what nobody touched here.
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
        tell(t("corrected"));
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
        {t("correctDetail")}
      </Text>
      <AgentField email={email} onChange={setEmail} />
      {call.recording.channels !== 1 && <SideField side={side} onChange={setSide} />}
      <MetadataFields named metadata={entries} most={100} onChange={setEntries} />
    </DialogForm>
  );
}

function AgentField({ email, onChange }: { readonly email: string; readonly onChange: (email: string) => void }) {
  const { t } = useTexts("player");
  const agents = useQuery(playerQueries.agents);
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
  const { t } = useTexts("player");
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
