import type { CreateHold } from "@hearback/sdk";
import { SegmentedControl, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { campaignQueries } from "../campaigns/queries.ts";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { useCreateHold } from "./queries.ts";
import type { SubjectParam } from "./search.ts";
import { CallField, CampaignField, PersonField } from "./subject-fields.tsx";
import { useTexts } from "./texts.ts";

const kinds = ["call", "agent", "campaign"] as const;
type Kind = (typeof kinds)[number];

interface NewHoldProps {
  readonly about: SubjectParam | undefined;
  readonly onClose: () => void;
}

export function NewHold({ about, onClose }: NewHoldProps) {
  const { t } = useTexts();
  const create = useCreateHold();
  const [kind, setKind] = useState<Kind>(about?.type ?? "call");
  const [id, setId] = useState(about?.id ?? "");
  const [reason, setReason] = useState("");
  const choose = (chosen: string) => {
    setKind(kinds.find((one) => one === chosen) ?? "call");
    setId("");
  };
  const submit = () => {
    const subjects = { call: { callId: id }, agent: { agentId: id }, campaign: { campaignId: id } };
    const hold: CreateHold = { ...subjects[kind], reason };
    create.mutate(hold, { onSuccess: onClose });
  };
  return (
    <DialogForm
      action={t("createHold")}
      pending={create.isPending}
      disabled={!id || !reason.trim()}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">{t("newHoldDetail")}</Text>
      <SegmentedControl
        fullWidth
        aria-label={t("held")}
        value={kind}
        onChange={choose}
        data={[
          { value: "call", label: t("oneCall") },
          { value: "agent", label: t("anAgent") },
          { value: "campaign", label: t("aCampaign") },
        ]}
      />
      {kind === "call" && <CallField value={id} onChange={setId} />}
      {kind === "agent" && <PersonField value={id} onChange={setId} />}
      {kind === "campaign" && <Campaigns value={id} onChange={setId} />}
      <Textarea
        label={t("reason")}
        description={t("reasonDetail")}
        required
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

function Campaigns(field: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  return <CampaignField {...field} campaigns={campaigns} />;
}
