import { Anchor, Button, Stack, Text } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { useTexts } from "./texts.ts";

export interface Choice {
  readonly id: string;
  readonly name: string;
}

interface WorkspaceChoiceProps {
  readonly workspaces: readonly Choice[];
  readonly pending?: boolean;
  readonly onChoose: (id: string) => void;
  readonly onBack: () => void;
}

/** Workspace choice for people who belong to several. */
export function WorkspaceChoice({ workspaces, pending = false, onChoose, onBack }: WorkspaceChoiceProps) {
  const { t } = useTexts();
  return (
    <Page title={t("chooseTitle")} intro={t("chooseIntro")}>
      <Stack gap="xs">
        {workspaces.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            size="md"
            fullWidth
            justify="space-between"
            disabled={pending}
            rightSection={<Icon name="chevronRight" />}
            onClick={() => onChoose(id)}
          >
            <Text truncate fw={600}>
              {name}
            </Text>
          </Button>
        ))}
      </Stack>
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        {t("backToSignIn")}
      </Anchor>
    </Page>
  );
}

/** Workspaces encoded in a `workspaces=…` fragment. */
export function workspacesIn(fragment: string): readonly Choice[] | undefined {
  const encoded = new URLSearchParams(fragment).get("workspaces");
  if (!encoded) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
      sign.charCodeAt(0),
    );
    return toChoices(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

/** The fragment is untrusted input. Invalid entries are dropped. */
export function toChoices(value: unknown): readonly Choice[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const choices = value
    .filter((one) => typeof one?.id === "string" && typeof one?.name === "string")
    .map(({ id, name }: Choice) => ({ id, name: name.slice(0, 200) }));
  return choices.length > 0 ? choices.slice(0, 50) : undefined;
}
