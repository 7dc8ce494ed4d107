import type { NewKeyBody } from "@hearback/sdk";
import { Alert, Anchor, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { CopyField } from "../ui/copy-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { sampleRecording } from "./sample-recording.ts";
import { tryLines } from "./try-lines.ts";

interface FreshKeyProps {
  readonly made: NewKeyBody;
  /** Whose calls an import could bring; undefined: nobody is there yet. */
  readonly agentEmail: string | undefined;
  /** Where it could bring them. */
  readonly campaignId: string | undefined;
  readonly kept: boolean;
  readonly onKept: (kept: boolean) => void;
  readonly onClose: () => void;
}

/** The key itself, this once, and how to use it. */
export function FreshKey({ made, agentEmail, campaignId, kept, onKept, onClose }: FreshKeyProps) {
  const { t } = useTexts("keys");
  const { origin } = window.location;
  const { key, scopes } = made;
  const keep = () => onKept(true);
  const lines = tryLines({ origin, key, scopes, campaignId: campaignId ?? "CAMPAIGN", agentEmail });
  return (
    <Stack>
      <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t("onceTitle")}>
        {t("onceDetail")}
      </Alert>
      <CopyField label={t("key")} value={key} first onCopied={keep} />
      <CopyField
        label={t("tryIt")}
        description={t(scopes.includes("import") ? "tryItDetail" : "tryItLook")}
        value={lines}
        onCopied={keep}
      />
      {scopes.includes("import") && <SampleLink />}
      {scopes.includes("import") && !campaignId && <Text size="sm">{t("tryItNoCampaign")}</Text>}
      <CopyField label={t("login")} description={t("loginDetail")} value={`hearback login --url ${origin}`} />
      <Group justify="space-between">
        <Checkbox label={t("kept")} checked={kept} onChange={(event) => onKept(event.currentTarget.checked)} />
        <Button disabled={!kept} onClick={onClose}>
          {t("done")}
        </Button>
      </Group>
    </Stack>
  );
}

/** A recording.wav for who has none at hand. */
function SampleLink() {
  const { t } = useTexts("keys");
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(sampleRecording());
    setUrl(made);
    return () => URL.revokeObjectURL(made);
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
