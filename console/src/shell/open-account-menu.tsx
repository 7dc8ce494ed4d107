import type { SessionBody } from "@hearback/sdk";
import { Menu, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useSignOut } from "../access/queries.ts";
import { toastProblem } from "../ui/feedback/toast.tsx";
import { useProblemText } from "../ui/feedback/use-problem-text.ts";
import { LanguageChoice } from "../ui/form/language-choice.tsx";
import { ThemeChoice } from "../ui/form/theme-choice.tsx";
import { Icon } from "../ui/icon.tsx";
import { useOpenOnMount } from "../ui/lazy/use-open-on-mount.ts";
import { AccountButton } from "./account-button.tsx";
import { useTexts } from "./texts.ts";

/** Menu that opens on mount. */
export function OpenAccountMenu({ session }: { readonly session: SessionBody }) {
  const { t } = useTexts();
  const problem = useProblemText();
  const signOut = useSignOut();
  const leave = () =>
    signOut.mutate(undefined, { onError: (error) => toastProblem(problem(error), t("notSignedOut")) });
  const { opened, setOpened, button } = useOpenOnMount();
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260} withinPortal>
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
          <ThemeChoice fullWidth size="xs" />
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
