import type { NewKeyBody } from "@hearback/sdk";
import { Alert, Anchor, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { CopyField } from "../ui/form/copy-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { curlExample } from "./curl-example.ts";
import { sampleRecording } from "./sample-recording.ts";
import { useTexts } from "./texts.ts";

interface CreatedKeyProps {
  readonly created: NewKeyBody;
  /** Agent for the example import. undefined: none yet. */
  readonly agentEmail: string | undefined;
  /** Campaign for the example import. */
  readonly campaignId: string | undefined;
  readonly saved: boolean;
  readonly onSaved: (saved: boolean) => void;
  readonly onClose: () => void;
}

/** Shows the new key once, with examples. */
export function CreatedKey({ created, agentEmail, campaignId, saved, onSaved, onClose }: CreatedKeyProps) {
  const { t } = useTexts();
  const { origin } = window.location;
  const { key, scopes } = created;
  const markSaved = () => onSaved(true);
  const lines = curlExample({ origin, key, scopes, campaignId: campaignId ?? "CAMPAIGN", agentEmail });
  return (
    <Stack>
      <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t("onceTitle")}>
        {t("onceDetail")}
      </Alert>
      <CopyField label={t("key")} value={key} first onCopied={markSaved} />
      <CopyField
        label={t("tryIt")}
        description={t(scopes.includes("import") ? "tryItDetail" : "tryItLook")}
        value={lines}
        onCopied={markSaved}
      />
      {scopes.includes("import") && <SampleLink />}
      {scopes.includes("import") && !campaignId && <Text size="sm">{t("tryItNoCampaign")}</Text>}
      <CopyField label={t("login")} description={t("loginDetail")} value={`hearback login --url ${origin}`} />
      <Group justify="space-between">
        <Checkbox label={t("saved")} checked={saved} onChange={(event) => onSaved(event.currentTarget.checked)} />
        <Button disabled={!saved} onClick={onClose}>
          {t("done")}
        </Button>
      </Group>
    </Stack>
  );
}

/** Download link for a sample recording. */
function SampleLink() {
  const { t } = useTexts();
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(sampleRecording());
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, []);
  return (
    <Text size="sm">
      {t("sampleDetail")}{" "}
      <Anchor href={url} download="recording.wav" underline="always">
        {t("sample")}
      </Anchor>
    </Text>
  );
}
