import { expect, test, vi } from "vitest";
import { buildReferencePages } from "./reference-pages.ts";

test("the API reference is built also under node --watch, whose workers report their imports", async () => {
  vi.stubEnv("WATCH_REPORT_DEPENDENCIES", "1");
  const { page, script } = await buildReferencePages();
  expect(page.body.toString()).toMatch(/^<!doctype html>/i);
  expect(script.body.length).toBeGreaterThan(100_000);
  vi.unstubAllEnvs();
});
