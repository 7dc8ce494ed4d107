import { Button, Code, Group, List, Text } from "@mantine/core";
import { CopyButton } from "../ui/form/copy-button.tsx";
import { Page } from "../ui/page.tsx";
import { useTexts } from "./texts.ts";

const command = "hearback-server setup";

/** Shown while no user exists: how the operator creates the first one. */
export function SetupNeeded({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTexts();
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
