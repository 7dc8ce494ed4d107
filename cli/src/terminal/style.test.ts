import { expect, test } from "vitest";
import { openStyle } from "./style.ts";

const terminal = { isTTY: true, write: () => true };
const file = { write: () => true };

test.each([
  ["a terminal", terminal, {}, true],
  ["a file", file, {}, false],
  ["NO_COLOR", terminal, { NO_COLOR: "1" }, false],
  ["an empty NO_COLOR, which counts as unset", terminal, { NO_COLOR: "" }, true],
  ["a dumb terminal", terminal, { TERM: "dumb" }, false],
  ["FORCE_COLOR into a file", file, { FORCE_COLOR: "1" }, true],
  ["FORCE_COLOR=0", terminal, { FORCE_COLOR: "0" }, false],
])("colours with %s", (_, output, env, colour) => {
  const style = openStyle(output, env);
  expect(style.colour).toBe(colour);
  expect(style.red("no")).toBe(colour ? "\x1b[31mno\x1b[39m" : "no");
});

test.each([
  [{}, true],
  [{ LANG: "en_GB.UTF-8" }, true],
  [{ LANG: "C" }, false],
  [{ LC_ALL: "C", LANG: "en_GB.UTF-8" }, false],
  [{ TERM: "dumb" }, false],
])("with %o Unicode support is %s", (env, unicode) => {
  expect(openStyle(terminal, env).unicode).toBe(unicode);
});
