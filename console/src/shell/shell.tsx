import { ActionIcon, AppShell, Burger, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useSession } from "../access/queries.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { NotAllowed } from "../ui/not-allowed.tsx";
import { ShortcutsProvider, useShortcutsHelp } from "../ui/shortcuts.tsx";
import { usePart } from "../ui/use-part.ts";
import { beOwner } from "../uploads/owner.ts";
import { AccountMenu } from "./account-menu.tsx";
import { NavigationLinks } from "./navigation-links.tsx";
import { isAt, places } from "./places.ts";
import { useArrival } from "./use-arrival.ts";

/** Not needed for anything to be seen, so it comes after what is. */
const loadDropCalls = async () => (await import("../uploads/drop-calls.tsx")).DropCalls;

/** What stays around every page of somebody who is signed in. */
export function Shell() {
  const { t } = useTexts("shell");
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere closes the menu
  useEffect(close, [path]);
  useArrival();
  const userId = session.user.id;
  // Uploads go on behind every page, but not for somebody else.
  useEffect(() => beOwner(userId), [userId]);
  const burger = useRef<HTMLButtonElement>(null);
  const leave = () => {
    close();
    burger.current?.focus();
  };
  const here = places.find((place) => isAt(path, place));
  const mayAdd = places.some(({ to, roles }) => to === "/uploads" && roles.includes(session.user.role));
  const mayDrop = path === "/calls" && mayAdd;
  const DropCalls = usePart(mayDrop, loadDropCalls, () => {});
  const allowed = !here || here.roles.includes(session.user.role);
  return (
    <ShortcutsProvider>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !opened } }}
        padding={{ base: "md", md: "lg" }}
      >
        <a href="#content" className="skip-link">
          {t("skip")}
        </a>
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap" miw={0}>
              <Burger
                ref={burger}
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? t("closeMenu") : t("openMenu")}
                aria-expanded={opened}
                aria-controls="navigation"
              />
              <img src={`${import.meta.env.BASE_URL}icon.svg`} width={28} height={28} alt="" />
              <Text fw={700}>Hearback</Text>
              <Text c="dimmed" size="sm" truncate>
                {session.workspace.name}
              </Text>
            </Group>
            <Group gap={4} wrap="nowrap">
              <ShortcutsButton />
              <AccountMenu session={session} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar
          id="navigation"
          data-opened={opened || undefined}
          p="xs"
          aria-label={t("mainNavigation")}
          onKeyDown={(event) => event.key === "Escape" && leave()}
        >
          <NavigationLinks role={session.user.role} path={path} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          {allowed ? <Outlet /> : <NotAllowed />}
          {mayDrop && DropCalls && <DropCalls userId={userId} />}
        </AppShell.Main>
      </AppShell>
    </ShortcutsProvider>
  );
}

function ShortcutsButton() {
  const { t } = useTexts("ui");
  const open = useShortcutsHelp();
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("shortcuts")} onClick={open} visibleFrom="sm">
      <Icon name="keyboard" size={20} />
    </ActionIcon>
  );
}
