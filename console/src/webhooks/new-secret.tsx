import { Alert, Button, Group, Stack } from "@mantine/core";
import { CopyField } from "../ui/form/copy-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { useTexts } from "./texts.ts";

const snippet = `import { verifyWebhook } from "@hearback/sdk";

// The raw body, before any parsing.
const event = await verifyWebhook({
  secret: process.env.HEARBACK_WEBHOOK_SECRET,
  headers: request.headers,
  body: rawBody,
});`;

interface NewSecretProps {
  readonly secret: string;
  readonly onDone: () => void;
}

/** Shows the new secret once, with a verification example. */
export function NewSecret({ secret, onDone }: NewSecretProps) {
  const { t } = useTexts();
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<Icon name="key" />} title={t("secretOnce")}>
        {t("secretOnceDetail")}
      </Alert>
      <CopyField label={t("secret")} value={secret} first />
      <CopyField label={t("verify")} description={t("verifyDetail")} value={snippet} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("secretSaved")}</Button>
      </Group>
    </Stack>
  );
}
