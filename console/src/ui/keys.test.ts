import { expect, test } from "vitest";
import { isAnswered, isPress, type Press } from "./keys.ts";

const press = (key: string, held: Partial<Press> & { altGraph?: boolean } = {}): Press => ({
  key,
  ...{ shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, isComposing: false },
  ...held,
  getModifierState: (name) => name === "AltGraph" && held.altGraph === true,
});

test.each([
  ["a letter", press("k"), "k"],
  ["a letter with the caps lock on", press("K"), "k"],
  ["a letter with Shift", press("N", { shiftKey: true }), "Shift+n"],
  ["a sign that takes Shift", press("?", { shiftKey: true }), "?"],
  ["a digit of a French keyboard", press("1", { shiftKey: true }), "1"],
  ["a sign that takes AltGr", press("[", { ctrlKey: true, altKey: true, altGraph: true }), "["],
  ["the space bar", press(" "), "Space"],
  ["an arrow with Shift", press("ArrowLeft", { shiftKey: true }), "Shift+ArrowLeft"],
])("knows %s", (_, pressed, name) => {
  expect(isPress(pressed, name)).toBe(true);
});

test.each([
  ["a command of the browser", press("k", { ctrlKey: true }), "k"],
  ["a command on a Mac", press("k", { metaKey: true }), "k"],
  ["an arrow with Shift where none is named", press("ArrowLeft", { shiftKey: true }), "ArrowLeft"],
  ["a letter with Shift where none is named", press("N", { shiftKey: true }), "n"],
  ["a letter that is being composed", press("k", { isComposing: true }), "k"],
  ["another key", press("j"), "k"],
])("is not deceived by %s", (_, pressed, name) => {
  expect(isPress(pressed, name)).toBe(false);
});

test("a key that is held down moves on, and switches nothing to and fro", () => {
  expect(isAnswered({ repeats: true }, { repeat: true })).toBe(true);
  expect(isAnswered({}, { repeat: true })).toBe(false);
  expect(isAnswered({}, { repeat: false })).toBe(true);
});
