import { Button, Stack, Text } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { useTexts } from "./texts.ts";

/**
 * Sends the person to the identity provider to confirm their identity. The provider returns them to the account page.
 */
export function ConfirmByProvider({ name }: { readonly name: string }) {
  const { t } = useTexts();
  return (
    <Stack maw={420} align="flex-start">
      <Text size="sm">{t("confirmByProviderDetail")}</Text>
      <Button
        variant="default"
        leftSection={<Icon name="lock" />}
        onClick={() => window.location.assign("/session/oidc?confirm=true")}
      >
        {t("confirmByProvider", { name })}
      </Button>
    </Stack>
  );
}
