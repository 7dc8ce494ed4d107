import type { SessionBody } from "@hearback/sdk";
import { Menu, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useSignOut } from "../access/queries.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { ColoursChoice } from "../ui/colours-choice.tsx";
import { Icon } from "../ui/icon.tsx";
import { LanguageChoice } from "../ui/language-choice.tsx";
import { tellProblem } from "../ui/tell.tsx";
import { useOpenAtFirst } from "../ui/use-open-at-first.ts";
import { useProblemText } from "../ui/use-problem-text.ts";
import { AccountButton } from "./account-button.tsx";

/** The button with its menu, which is open at first. */
export function OpenAccountMenu({ session }: { readonly session: SessionBody }) {
  const { t } = useTexts("shell");
  const problem = useProblemText();
  const signOut = useSignOut();
  const leave = () => signOut.mutate(undefined, { onError: (error) => tellProblem(problem(error), t("notSignedOut")) });
  const { opened, setOpened, button } = useOpenAtFirst();
  return (
    <Menu {...{ opened }} onChange={setOpened} position="bottom-end" width={260} withinPortal>
      <Menu.Target>
        <AccountButton session={session} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {session.user.name}
          </Text>
          <Text size="xs" truncate>
            {session.user.email}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<Icon name="settings" />}>
          {t("account")}
        </Menu.Item>
        <Menu.Divider />
        <Stack gap={6} p={4}>
          <ColoursChoice fullWidth size="xs" />
          <LanguageChoice fullWidth size="xs" />
        </Stack>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={leave}>
          {t("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
