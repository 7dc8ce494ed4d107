import type { Role } from "@hearback/sdk";
import { Anchor, Button, Code, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { useTexts } from "./texts.ts";

interface NoCallsProps {
  readonly role: Role;
  readonly filtered: boolean;
  readonly onClear: () => void;
}

/** Empty state, with next steps. */
export function NoCalls({ role, filtered, onClear }: NoCallsProps) {
  const { t } = useTexts();
  if (filtered) {
    return (
      <EmptyState icon="search" title={t("noMatch")}>
        <Text c="dimmed">{t("noMatchDetail")}</Text>
        <Button variant="light" mt="xs" onClick={onClear}>
          {t("clearAll")}
        </Button>
      </EmptyState>
    );
  }
  if (role === "agent" || role === "reviewer") {
    return (
      <EmptyState icon="calls" title={t("none")}>
        <Text c="dimmed">{role === "agent" ? t("noneOfYours") : t("noneToReview")}</Text>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="calls" title={t("none")}>
      <Text c="dimmed" maw={560}>
        {t("noneDetail")}
      </Text>
      <FirstSteps />
      <Group mt="sm" justify="center">
        <Button component={Link} to="/uploads" leftSection={<Icon name="upload" />}>
          {t("uploadRecordings")}
        </Button>
        {role === "admin" && (
          <Button component={Link} to="/keys" variant="default" leftSection={<Icon name="key" />}>
            {t("createKey")}
          </Button>
        )}
      </Group>
      <Text c="dimmed" size="sm" mt="sm">
        {t("useCli")}
      </Text>
      <Code>hearback import calls.csv --recordings ./recordings</Code>
      <Anchor href="/docs" size="sm">
        {t("documentation")}
      </Anchor>
    </EmptyState>
  );
}
