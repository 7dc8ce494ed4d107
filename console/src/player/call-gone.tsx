import { Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";

export function CallGone() {
  const { t } = useTexts("player");
  return (
    <Page title={t("title")}>
      <EmptyState icon="search" title={t("gone")}>
        <Text maw={480}>{t("goneDetail")}</Text>
        <TextLink to="/calls">{t("toList")}</TextLink>
      </EmptyState>
    </Page>
  );
}
