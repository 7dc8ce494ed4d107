import { Text } from "@mantine/core";
import { Page } from "../page.tsx";
import { TextLink } from "../text-link.tsx";
import { useTexts } from "../texts.ts";

/** Shown for pages that the role cannot access. */
export function NotAllowed() {
  const { t } = useTexts();
  return (
    <Page title={t("notAllowed")}>
      <Text maw={520}>{t("notAllowedDetail")}</Text>
      <TextLink to="/">{t("toStart")}</TextLink>
    </Page>
  );
}
