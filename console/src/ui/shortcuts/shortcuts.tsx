import { createContext, type ReactNode, type RefObject, use, useEffect, useMemo, useRef, useState } from "react";
import { readPreferences } from "../../preferences.ts";
import { useLazyLoad } from "../lazy/use-lazy-load.ts";
import { matchesKey, needsKey, type Shortcut, shouldRun } from "./shortcut-keys.ts";

const loadHelp = async () => (await import("./shortcuts-help.tsx")).ShortcutsHelp;

type Lists = Set<RefObject<readonly Shortcut[]>>;

const Shortcuts = createContext<{ readonly lists: Lists; readonly openHelp: () => void } | undefined>(undefined);

function useRegistry() {
  const registry = use(Shortcuts);
  if (!registry) throw new Error("shortcuts need a ShortcutsProvider");
  return registry;
}

/** Registers shortcuts while the component is mounted. Disabled while typing, or if a control handles the key. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const { lists } = useRegistry();
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    lists.add(latest);
    return () => void lists.delete(latest);
  }, [lists]);
}

/** Opens the shortcut help, like `?`. */
export const useShortcutsHelp = () => useRegistry().openHelp;

/** Handles shortcuts for its children. */
export function ShortcutsProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shortcut[]>();
  const close = () => setShown(undefined);
  const ShortcutsHelp = useLazyLoad(shown !== undefined, loadHelp, close);
  const registry = useMemo(() => {
    const lists: Lists = new Set();
    return { lists, openHelp: () => setShown(reachable(known(lists))) };
  }, []);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || readPreferences().shortcuts === "off" || needsKey(event.target, event.key)) return;
      // An open dialog disables shortcuts.
      if (isDialogOpen()) return;
      // The latest registration wins.
      const meant = known(registry.lists).findLast(({ keys }) => keys.some((key) => matchesKey(event, key)));
      const run = meant?.run ?? (matchesKey(event, "?") ? registry.openHelp : undefined);
      if (!run) return;
      event.preventDefault();
      if (shouldRun(meant ?? {}, event)) run(event);
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [registry]);
  return (
    <Shortcuts value={registry}>
      {children}
      {shown && ShortcutsHelp && <ShortcutsHelp shown={shown} onClose={close} />}
    </Shortcuts>
  );
}

/** Without keys that a later shortcut uses as well. */
function reachable(shortcuts: readonly Shortcut[]): Shortcut[] {
  const taken = new Set<string>();
  const kept: Shortcut[] = [];
  for (const shortcut of shortcuts.toReversed()) {
    const keys = shortcut.keys.filter((key) => !taken.has(key.toLowerCase()));
    for (const key of keys) taken.add(key.toLowerCase());
    if (keys.length > 0) kept.unshift({ ...shortcut, keys });
  }
  return kept;
}

const known = (lists: Lists) => [...lists].flatMap(({ current }) => current);

/** Searches the portals, where dialogs are, and not the page, which can be long: this runs for each key press. */
const isDialogOpen = () =>
  [...document.body.children].some((child) => child.matches("[data-portal]:has([aria-modal=true])"));
