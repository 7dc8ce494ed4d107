import { Alert, Button, Group, Stack } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { CopyField } from "../ui/copy-field.tsx";
import { Icon } from "../ui/icon.tsx";

const snippet = `import { verifyWebhook } from "@hearback/sdk";

// The body as it arrived, before any parsing.
const event = await verifyWebhook({
  secret: process.env.HEARBACK_WEBHOOK_SECRET,
  headers: request.headers,
  body: rawBody,
});`;

interface SecretShownProps {
  readonly secret: string;
  readonly onDone: () => void;
}

/** The secret, this once, and what to do with it. */
export function SecretShown({ secret, onDone }: SecretShownProps) {
  const { t } = useTexts("webhooks");
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<Icon name="key" />} title={t("secretOnce")}>
        {t("secretOnceDetail")}
      </Alert>
      <CopyField label={t("secret")} value={secret} first />
      <CopyField label={t("verify")} description={t("verifyDetail")} value={snippet} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("secretKept")}</Button>
      </Group>
    </Stack>
  );
}
