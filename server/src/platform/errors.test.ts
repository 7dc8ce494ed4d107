import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { errorCodes } from "./errors.ts";
import { readErrorPages } from "./http/error-pages.ts";

const document = new URL("../../../docs/errors.md", import.meta.url).pathname;

test("docs/errors.md has a part for every code and for no other", async () => {
  const documented = [...(await readFile(document, "utf8")).matchAll(/^### `(\w+)`$/gm)].map(([, code]) => code);
  expect([...documented].sort()).toEqual(Object.keys(errorCodes).sort());
});

test("every code has a page that says more than its name", async () => {
  const pages = await readErrorPages(document);
  expect([...pages.keys()].sort()).toEqual(Object.keys(errorCodes).sort());
  for (const page of pages.values()) expect(page).toMatch(/<main>[\s\S]*<p>\w[\s\S]{20,}/);
});
