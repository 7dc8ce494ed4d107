import { Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Page } from "./page.tsx";
import { TextLink } from "./text-link.tsx";

/** A page that is there, and not for whoever asks. */
export function NotAllowed() {
  const { t } = useTexts("ui");
  return (
    <Page title={t("notAllowed")}>
      <Text maw={520}>{t("notAllowedDetail")}</Text>
      <TextLink to="/">{t("toStart")}</TextLink>
    </Page>
  );
}
