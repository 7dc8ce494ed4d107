import type { Role } from "@hearback/sdk";
import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useEffect, useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { useTexts } from "./texts.ts";

const GoToList = lazyComponent(async () => (await import("./go-to-list.tsx")).GoToList);

/** Apple keyboards have a command key. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const keys = isApple ? "⌘ K" : "Ctrl K";

/** Button and Ctrl-K for the dialog that goes to any page. */
export function GoTo({ role }: { readonly role: Role }) {
  const { t } = useTexts();
  const [opened, setOpened] = useState(false);
  const open = () => setOpened(true);
  const close = () => setOpened(false);
  // For the help only: shortcuts with Ctrl also work while typing, so they need their own listener.
  useShortcuts([{ keys: [keys], text: t("goTo"), group: t("everywhere"), run: open }]);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const command = isApple ? event.metaKey : event.ctrlKey;
      if (!command || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      if (!document.querySelector('[aria-modal="true"]')) setOpened(true);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        leftSection={<Icon name="search" size={14} />}
        rightSection={<Kbd size="xs">{keys}</Kbd>}
        onClick={open}
      >
        {t("goTo")}
      </Button>
      <ActionIcon variant="subtle" color="gray" size="lg" hiddenFrom="sm" aria-label={t("goTo")} onClick={open}>
        <Icon name="search" size={20} />
      </ActionIcon>
      <Dialog opened={opened} title={t("goToTitle")} onClose={close}>
        <GoToList role={role} onGo={close} />
      </Dialog>
    </>
  );
}
