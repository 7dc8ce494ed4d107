export interface Shortcut {
  /** Alternative keys, shown in this order: "k", "Space", "?", "ArrowLeft", "Shift+ArrowLeft". */
  readonly keys: readonly string[];
  /** Shown in the help instead of `keys`. */
  readonly shown?: string;
  /** Translated description. */
  readonly text: string;
  /** Heading in the help. */
  readonly group: string;
  /** Whether a held key repeats the action. */
  readonly repeats?: boolean;
  readonly run: (event: KeyboardEvent) => void;
}

/** Held keys repeat only for shortcuts with `repeats`. */
export const shouldRun = ({ repeats = false }: Pick<Shortcut, "repeats">, { repeat }: Pick<KeyboardEvent, "repeat">) =>
  repeats || !repeat;

/** Fields of a keyboard event that identify the key. */
export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey" | "isComposing" | "getModifierState"
>;

/**
 * Whether the event matches a shortcut key, such as "k", "Shift+N", "?", "Space" or "Shift+ArrowLeft". For symbols,
 * Shift is ignored, because keyboard layouts differ.
 */
export function matchesKey(press: KeyPress, name: string): boolean {
  if (press.isComposing || isCommand(press)) return false;
  const shift = name.startsWith("Shift+");
  const wanted = shift ? name.slice("Shift+".length) : name;
  const key = press.key === " " ? "Space" : press.key;
  if (isSymbol(wanted)) return key === wanted;
  return key.toLowerCase() === wanted.toLowerCase() && press.shiftKey === shift;
}

const isSymbol = (key: string) => key.length === 1 && key.toLowerCase() === key.toUpperCase();

/** Ctrl, Alt and Cmd are left to the browser. AltGr types symbols on some layouts. */
const isCommand = (press: KeyPress) =>
  press.metaKey || ((press.ctrlKey || press.altKey) && !press.getModifierState("AltGraph"));

const moving = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];
const pressing = ["Enter", " "];

/** Elements and the keys they handle themselves. "all": text input. */
const needs: readonly (readonly [selector: string, keys: readonly string[] | "all"])[] = [
  ['[role="dialog"], [role="menu"], [role="listbox"]', "all"],
  ['input[type="range"], [role="slider"], [role="tab"]', moving],
  ['input[type="checkbox"], [role="switch"]', pressing],
  ['input[type="radio"], [role="radio"]', [...moving, ...pressing]],
  ['input:not([type="button"], [type="submit"], [type="file"]), textarea, select, [contenteditable="true"]', "all"],
  ['button, a[href], summary, input, [role="button"], [role="link"]', pressing],
];

/** Whether the focused element handles the key itself. */
export function needsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  const need = needs.find(([selector], index) => (index === 0 ? target.closest(selector) : target.matches(selector)));
  return need !== undefined && (need[1] === "all" || need[1].includes(key));
}
