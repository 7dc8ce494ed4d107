import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

test("the dashboard shows exactly the exported metrics", async () => {
  const sources = (await read("./metrics.ts")) + (await read("./monitor.ts"));
  const named = new Set([...sources.matchAll(/"(hearback_\w+)"/g)].map(([, name]) => name));
  const dashboard = await read("../../../deploy/grafana-dashboard.json");
  const shown = new Set(
    [...dashboard.matchAll(/hearback_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, "")),
  );
  expect(named.size).toBeGreaterThan(5);
  expect([...shown].sort()).toEqual([...named].sort());
});
