import type { CampaignBody } from "@hearback/sdk";
import { Alert, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { IntegerField } from "../ui/form/integer-field.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { AgentSideField } from "./agent-side.tsx";
import { useChangeCampaign } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { type Transcription, TranscriptionFields } from "./transcription-fields.tsx";

interface ChangeCampaignProps {
  readonly campaign: CampaignBody;
  /** Only administrators can change the retention. */
  readonly mayChangeRetention: boolean;
  readonly onClose: () => void;
}

export function ChangeCampaign({ campaign, mayChangeRetention, onClose }: ChangeCampaignProps) {
  const { t } = useTexts();
  const change = useChangeCampaign();
  const [name, setName] = useState(campaign.name);
  const [agentChannel, setAgentChannel] = useState(campaign.agent_channel);
  const [days, setDays] = useState<number | null>(campaign.retention_days);
  const [transcription, setTranscription] = useState<Transcription>(campaign);
  const { transcription_language: language, masking, erase_masked_originals: erases } = transcription;
  const shorter = days !== null && days < (campaign.retention_days ?? Number.POSITIVE_INFINITY);
  const submit = () =>
    change.mutate(
      {
        id: campaign.id,
        ...(name.trim() !== campaign.name && { name: name.trim() }),
        ...(agentChannel !== campaign.agent_channel && { agentChannel }),
        ...(days !== campaign.retention_days && { retentionDays: days }),
        ...(language !== campaign.transcription_language && { transcriptionLanguage: language }),
        ...(masking !== campaign.masking && { masking }),
        ...(erases !== campaign.erase_masked_originals && { eraseMaskedOriginals: erases }),
      },
      {
        onSuccess() {
          toast(t("changed", { name: name.trim() }));
          onClose();
        },
      },
    );
  return (
    <DialogForm action={t("save")} pending={change.isPending} error={change.error} onSubmit={submit} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {t("id")} <code>{campaign.id}</code>
      </Text>
      <NameField label={t("name")} data-autofocus value={name} onChange={setName} />
      <AgentSideField value={agentChannel} onChange={setAgentChannel} note={t("sideHolds")} />
      <IntegerField
        label={t("retentionDays")}
        description={mayChangeRetention ? t("retentionDetail") : t("retentionNotYours")}
        disabled={!mayChangeRetention}
        placeholder={t("retentionForEver")}
        min={1}
        max={36_500}
        value={days ?? undefined}
        onChange={(value) => setDays(value ?? null)}
      />
      {shorter && <ShorterRetention key={days} days={days} />}
      <TranscriptionFields
        before={campaign}
        value={transcription}
        onChange={setTranscription}
        mayChange={mayChangeRetention}
      />
    </DialogForm>
  );
}

/** Requires confirmation: erased calls cannot be recovered. */
function ShorterRetention({ days }: { readonly days: number }) {
  const { t } = useTexts();
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t("retentionShorter", { count: days })}>
      <Stack gap="sm">
        <Text size="sm">{t("retentionShorterDetail")}</Text>
        <Checkbox required label={t("retentionUnderstood")} />
      </Stack>
    </Alert>
  );
}
