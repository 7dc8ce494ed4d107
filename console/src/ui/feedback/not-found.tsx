import { Text } from "@mantine/core";
import { Page } from "../page.tsx";
import { TextLink } from "../text-link.tsx";
import { useTexts } from "../texts.ts";

export function NotFound() {
  const { t } = useTexts();
  return (
    <Page title={t("notFound")}>
      <Text maw={520}>{t("notFoundDetail")}</Text>
      <TextLink to="/">{t("toStart")}</TextLink>
    </Page>
  );
}
