export interface Shortcut {
  /** Each of them does it: "k", "Space", "?", "ArrowLeft", "Shift+ArrowLeft". The help shows them in this order. */
  readonly keys: readonly string[];
  /** What the help shows where there are too many of them. */
  readonly shown?: string;
  /** What it does, in the reader's language. */
  readonly text: string;
  /** Under which heading the help shows it. */
  readonly group: string;
  /** Goes on while the key is held down: for what moves step by step. */
  readonly repeats?: boolean;
  readonly run: (event: KeyboardEvent) => void;
}

/** A key that is held down switches something once, and moves on and on. */
export const isAnswered = ({ repeats = false }: Pick<Shortcut, "repeats">, { repeat }: Pick<KeyboardEvent, "repeat">) =>
  repeats || !repeat;

/** Of an event, what says which key was pressed. */
export type Press = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey" | "isComposing" | "getModifierState"
>;

/**
 * Whether a press is the key that a shortcut names, such as "k", "Shift+N", "?", "Space", "ArrowLeft" or
 * "Shift+ArrowLeft". Where a sign stands on the keyboard, and whether it takes Shift there, is the keyboard's own affair.
 */
export function isPress(press: Press, name: string): boolean {
  if (press.isComposing || isCommand(press)) return false;
  const shift = name.startsWith("Shift+");
  const wanted = shift ? name.slice("Shift+".length) : name;
  const key = press.key === " " ? "Space" : press.key;
  if (isSign(wanted)) return key === wanted;
  return key.toLowerCase() === wanted.toLowerCase() && press.shiftKey === shift;
}

const isSign = (key: string) => key.length === 1 && key.toLowerCase() === key.toUpperCase();

/** Ctrl, Alt and Cmd belong to the browser; AltGr is how some keyboards write a sign. */
const isCommand = (press: Press) =>
  press.metaKey || ((press.ctrlKey || press.altKey) && !press.getModifierState("AltGraph"));

const moving = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];
const pressing = ["Enter", " "];

/** What has the focus and the keys that it needs for itself; "all" where one types. */
const needs: readonly (readonly [selector: string, keys: readonly string[] | "all"])[] = [
  ['[role="dialog"], [role="menu"], [role="listbox"]', "all"],
  ['input[type="range"], [role="slider"], [role="tab"]', moving],
  ['input[type="checkbox"], [role="switch"]', pressing],
  ['input[type="radio"], [role="radio"]', [...moving, ...pressing]],
  ['input:not([type="button"], [type="submit"], [type="file"]), textarea, select, [contenteditable="true"]', "all"],
  ['button, a[href], summary, input, [role="button"], [role="link"]', pressing],
];

/** Whether what has the focus needs the key itself: text is typed, a button pressed, a slider moved. */
export function needsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  const need = needs.find(([selector], place) => (place === 0 ? target.closest(selector) : target.matches(selector)));
  return need !== undefined && (need[1] === "all" || need[1].includes(key));
}
