import { Button, Code, Group, List, Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Page } from "../ui/page.tsx";

const command = "hearback-server setup";

/** Nobody can sign in yet: what whoever runs the installation does now. */
export function SetupNeeded({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTexts("access");
  return (
    <Page title={t("setupNeededTitle")} intro={t("setupNeededIntro")}>
      <List type="ordered" spacing="sm">
        <List.Item>
          <Text>{t("setupNeededRun")}</Text>
          <Group gap="xs" mt={6}>
            <Code fz="sm">{command}</Code>
            <CopyButton value={command} />
          </Group>
        </List.Item>
        <List.Item>{t("setupNeededOpen")}</List.Item>
      </List>
      <Button variant="default" onClick={onRetry}>
        {t("setupNeededDone")}
      </Button>
    </Page>
  );
}
