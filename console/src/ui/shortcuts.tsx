import { createContext, type ReactNode, type RefObject, use, useEffect, useMemo, useRef, useState } from "react";
import { isAnswered, isPress, needsKey, type Shortcut } from "./keys.ts";
import { readPreferences } from "./preferences.ts";
import { usePart } from "./use-part.ts";

const loadHelp = async () => (await import("./shortcuts-help.tsx")).ShortcutsHelp;

type Lists = Set<RefObject<readonly Shortcut[]>>;

const Shortcuts = createContext<{ readonly lists: Lists; readonly openHelp: () => void } | undefined>(undefined);

function useRegistry() {
  const registry = use(Shortcuts);
  if (!registry) throw new Error("shortcuts are for pages inside ShortcutsProvider");
  return registry;
}

/** These keys work as long as the component is there. Where one types, or a control needs the key, they rest. */
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

/** Opens the list of keys that work here, which `?` opens too. */
export const useShortcutsHelp = () => useRegistry().openHelp;

/** Listens for the keys of everything inside it. */
export function ShortcutsProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shortcut[]>();
  const close = () => setShown(undefined);
  const ShortcutsHelp = usePart(shown !== undefined, loadHelp, close);
  const registry = useMemo(() => {
    const lists: Lists = new Set();
    return { lists, openHelp: () => setShown(known(lists)) };
  }, []);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || readPreferences().shortcuts === "off" || needsKey(event.target, event.key)) return;
      // Behind a dialog the page rests, wherever the focus is.
      if (document.querySelector('[aria-modal="true"]')) return;
      // What came last lies on top.
      const meant = known(registry.lists).findLast(({ keys }) => keys.some((key) => isPress(event, key)));
      const run = meant?.run ?? (isPress(event, "?") ? registry.openHelp : undefined);
      if (!run) return;
      event.preventDefault();
      if (isAnswered(meant ?? {}, event)) run(event);
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

const known = (lists: Lists) => [...lists].flatMap(({ current }) => current);
