import { expect, test } from "vitest";
import { type KeyPress, matchesKey, shouldRun } from "./shortcut-keys.ts";

const press = (key: string, held: Partial<KeyPress> & { altGraph?: boolean } = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  isComposing: false,
  ...held,
  getModifierState: (name) => name === "AltGraph" && held.altGraph === true,
});

test.each([
  ["a letter", press("k"), "k"],
  ["a letter with the caps lock on", press("K"), "k"],
  ["a letter with Shift", press("N", { shiftKey: true }), "Shift+n"],
  ["a symbol with Shift", press("?", { shiftKey: true }), "?"],
  ["a digit of a French keyboard", press("1", { shiftKey: true }), "1"],
  ["a symbol with AltGr", press("[", { ctrlKey: true, altKey: true, altGraph: true }), "["],
  ["the space bar", press(" "), "Space"],
  ["an arrow with Shift", press("ArrowLeft", { shiftKey: true }), "Shift+ArrowLeft"],
])("matches %s", (_, pressed, name) => {
  expect(matchesKey(pressed, name)).toBe(true);
});

test.each([
  ["a browser shortcut", press("k", { ctrlKey: true }), "k"],
  ["a macOS shortcut", press("k", { metaKey: true }), "k"],
  ["an arrow with an unexpected Shift", press("ArrowLeft", { shiftKey: true }), "ArrowLeft"],
  ["a letter with an unexpected Shift", press("N", { shiftKey: true }), "n"],
  ["a letter that is being composed", press("k", { isComposing: true }), "k"],
  ["another key", press("j"), "k"],
])("does not match %s", (_, pressed, name) => {
  expect(matchesKey(pressed, name)).toBe(false);
});

test("held keys repeat only where allowed", () => {
  expect(shouldRun({ repeats: true }, { repeat: true })).toBe(true);
  expect(shouldRun({}, { repeat: true })).toBe(false);
  expect(shouldRun({}, { repeat: false })).toBe(true);
});
