import type { CampaignBody } from "@hearback/sdk";
import { Alert, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { DialogForm } from "../ui/dialog-form.tsx";
import { Icon } from "../ui/icon.tsx";
import { NameField } from "../ui/name-field.tsx";
import { tell } from "../ui/tell.tsx";
import { WholeNumber } from "../ui/whole-number.tsx";
import { AgentSideField } from "./agent-side.tsx";
import { useChangeCampaign } from "./queries.ts";

interface ChangeCampaignProps {
  readonly campaign: CampaignBody;
  /** How long calls are kept is for administrators to say. */
  readonly mayChangeRetention: boolean;
  readonly onClose: () => void;
}

export function ChangeCampaign({ campaign, mayChangeRetention, onClose }: ChangeCampaignProps) {
  const { t } = useTexts("campaigns");
  const change = useChangeCampaign();
  const [name, setName] = useState(campaign.name);
  const [agentChannel, setAgentChannel] = useState(campaign.agent_channel);
  const [days, setDays] = useState<number | null>(campaign.retention_days);
  const shorter = days !== null && days < (campaign.retention_days ?? Number.POSITIVE_INFINITY);
  const submit = () =>
    change.mutate(
      {
        id: campaign.id,
        ...(name.trim() !== campaign.name && { name: name.trim() }),
        ...(agentChannel !== campaign.agent_channel && { agentChannel }),
        ...(days !== campaign.retention_days && { retentionDays: days }),
      },
      {
        onSuccess() {
          tell(t("changed", { name: name.trim() }));
          onClose();
        },
      },
    );
  return (
    <DialogForm action={t("save")} pending={change.isPending} error={change.error} onSubmit={submit} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {t("id")}: <code>{campaign.id}</code>
      </Text>
      <NameField label={t("name")} data-autofocus value={name} onChange={setName} />
      <AgentSideField value={agentChannel} onChange={setAgentChannel} note={t("sideHolds")} />
      <WholeNumber
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
    </DialogForm>
  );
}

/** What is erased cannot be brought back: this is said before, and has to be ticked. */
function ShorterRetention({ days }: { readonly days: number }) {
  const { t } = useTexts("campaigns");
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t("retentionShorter", { count: days })}>
      <Stack gap="sm">
        <Text size="sm">{t("retentionShorterDetail")}</Text>
        <Checkbox required label={t("retentionUnderstood")} />
      </Stack>
    </Alert>
  );
}
