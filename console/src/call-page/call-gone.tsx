import { Text } from "@mantine/core";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useTexts } from "./texts.ts";

export function CallGone() {
  const { t } = useTexts();
  return (
    <Page title={t("title")}>
      <EmptyState icon="search" title={t("gone")}>
        <Text maw={480}>{t("goneDetail")}</Text>
        <TextLink to="/calls">{t("toList")}</TextLink>
      </EmptyState>
    </Page>
  );
}
