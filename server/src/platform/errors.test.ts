import { readFile } from "node:fs/promises";
import { errorCodes } from "@hearback/contract";
import { expect, test } from "vitest";
import { readErrorPages } from "./http/error-pages.ts";

const document = new URL("../../../docs/errors.md", import.meta.url).pathname;

test("docs/errors.md documents exactly the error codes", async () => {
  const documented = [...(await readFile(document, "utf8")).matchAll(/^### `(\w+)`$/gm)].map(([, code]) => code);
  expect([...documented].sort()).toEqual(Object.keys(errorCodes).sort());
});

test("every code has a page with an explanation", async () => {
  const pages = await readErrorPages(document);
  expect([...pages.keys()].sort()).toEqual(Object.keys(errorCodes).sort());
  for (const { body } of pages.values()) expect(body.toString()).toMatch(/<main>[\s\S]*<p>\w[\s\S]{20,}/);
  expect(pages.get("role_missing")?.body.toString()).toContain("<code>docs/signing-in.md</code> lists");
  for (const { body } of pages.values()) expect(body.toString()).not.toMatch(/\]\(/);
});
