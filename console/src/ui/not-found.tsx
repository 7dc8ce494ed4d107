import { Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Page } from "./page.tsx";
import { TextLink } from "./text-link.tsx";

export function NotFound() {
  const { t } = useTexts("ui");
  return (
    <Page title={t("notFound")}>
      <Text maw={520}>{t("notFoundDetail")}</Text>
      <TextLink to="/">{t("toStart")}</TextLink>
    </Page>
  );
}
