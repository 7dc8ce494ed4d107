import { ActionIcon, AppShell, Burger, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useSession } from "../access/queries.ts";
import { NotAllowed } from "../ui/feedback/not-allowed.tsx";
import { Icon } from "../ui/icon.tsx";
import { useLazyLoad } from "../ui/lazy/use-lazy-load.ts";
import { ShortcutsProvider, useShortcutsHelp } from "../ui/shortcuts/shortcuts.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { setOwner } from "../uploads/owner.ts";
import { AccountMenu } from "./account-menu.tsx";
import { GoTo } from "./go-to.tsx";
import { isCurrent, navigationItems, placeOf } from "./navigation-items.ts";
import { NavigationLinks } from "./navigation-links.tsx";
import { useTexts } from "./texts.ts";
import { useFocusOnNavigation } from "./use-focus-on-navigation.ts";

/** Lazy: not needed for the first paint. */
const loadDropCalls = async () => (await import("../uploads/drop-calls.tsx")).DropCalls;

/** Frame around all pages behind the sign-in. */
export function Shell() {
  const { t } = useTexts();
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const place = useRouterState({ select: ({ location }) => placeOf(location.pathname, location.search) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(close, [path]);
  useFocusOnNavigation();
  const userId = session.user.id;
  // Uploads continue across pages, but only for the same user.
  useEffect(() => setOwner(userId), [userId]);
  const burger = useRef<HTMLButtonElement>(null);
  const leave = () => {
    close();
    burger.current?.focus();
  };
  const here = navigationItems.filter((item) => isCurrent(path, item));
  const mayAdd = navigationItems.some(({ to, roles }) => to === "/uploads" && roles.includes(session.user.role));
  const mayDrop = path === "/calls" && mayAdd;
  const DropCalls = useLazyLoad(mayDrop, loadDropCalls, () => {});
  const allowed = here.length === 0 || here.some(({ roles }) => roles.includes(session.user.role));
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
              <GoTo role={session.user.role} />
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
          <NavigationLinks session={session} path={path} place={place} />
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
  const { t } = useUiTexts();
  const open = useShortcutsHelp();
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("shortcuts")} onClick={open} visibleFrom="sm">
      <Icon name="keyboard" size={20} />
    </ActionIcon>
  );
}
