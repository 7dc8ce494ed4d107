import { expect, test } from "vitest";
import { chooseFormat } from "./choose-format.ts";

test.each([
  [undefined, "json"],
  ["*/*", "json"],
  ["text/vtt", "vtt"],
  ["text/plain, application/json;q=0.5", "text"],
  ["text/plain;q=0.1, text/vtt; q=0.9", "vtt"],
  ["text/vtt;q=0, */*", "json"],
  ["text/html,application/xhtml+xml,*/*;q=0.8", "json"],
  ["image/png", "json"],
])("Accept: %s gets %s", (accept, format) => {
  expect(chooseFormat(accept)).toBe(format);
});
