import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callParts, importCall, postCall, type Service } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { type Console, openConsole, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots } from "./support/page-checks.ts";

let world: Console;
let page: Page;
beforeAll(async () => {
  world = await openConsole();
  page = await world.openPage({ reducedMotion: "reduce" });
  await startSession(page, world, await world.addPerson("supervisor"));
}, 240_000);
afterAll(() => world?.close());

/** Imports calls and copies them to other days and campaigns. */
async function seedImports(): Promise<void> {
  const { stack, api } = world;
  await stack.command("workspace", "change", stack.workspaceId, "--time-zone", "Europe/Paris");
  const service: Service = { ...stack, baseUrl: api.baseUrl };
  await stack.adminDb.query(
    `insert into campaign (workspace_id, id, name)
     values ($1, 'sales', 'Sales'), ($1, 'billing', 'Billing questions'), ($1, 'night', 'Night line')`,
    [stack.workspaceId],
  );
  await importCall(service, {});
  await stack.adminDb.query(`
    with copied as (
    insert into call (workspace_id, id, campaign_id, agent_id, happened_at, status, failure_code, metadata, recording_key,
      recording_bytes, sha256, format, created_at, imported_on)
    select workspace_id, (substr(id::text, 1, 14) || '7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid,
      campaign, agent_id, happened_at, case when n % 11 = 0 then 'failed' else 'ready' end,
      case when n % 11 = 0 then 'recording_undecodable' end, metadata, recording_key, recording_bytes, sha256, format,
      at, (at at time zone 'UTC')::date
    from call,
      lateral (select *, now() - make_interval(days => ago) as at from generate_series(1, 20) as ago,
        unnest(array['support-fr', 'sales', 'billing', 'night']) with ordinality as c (campaign, k),
        generate_series(1, (12 + ago * 5 % 7) / k::int) as n) as days
    where workspace_id = '${stack.workspaceId}'
    returning workspace_id, created_at, campaign_id, status, failure_code)
    insert into import_delta (workspace_id, bucket, campaign_id, status, failure_code, count)
    select workspace_id, import_bucket(created_at), campaign_id, status, coalesce(failure_code, ''), 1
    from copied`);
  const parts = (change: Record<string, string>) => callParts(service, { file: makeWav({ seed: 5 }), ...change });
  for (let n = 0; n < 3; n++) await postCall(service, parts({ agent_email: "nobody@example.com" }));
  await postCall(service, parts({ campaign_id: "no-such-campaign" }));
}

/** Imports per campaign in the last days of Europe/Paris, counted in SQL. */
async function importsInDatabase(days: number): Promise<Record<string, number>> {
  const { rows } = await world.stack.adminDb.query<{ campaign: string; count: string }>(
    `select campaign_id as campaign, count(*) from call
      where workspace_id = $2 and created_at >= (date_trunc('day', now() at time zone 'Europe/Paris') - make_interval(days => $1)) at time zone 'Europe/Paris'
      group by 1`,
    [days - 1, world.stack.workspaceId],
  );
  return Object.fromEntries(rows.map(({ campaign, count }) => [campaign, Number(count)]));
}

test("shows the empty state", async () => {
  await visit(page, world, "/imports");
  await page.getByText("No calls in 14 days").waitFor();
  await expectAccessible(page);
  await screenshots(page, "imports-empty");
});

test("shows calls by day and campaign, failures and refusals, as in the database", async () => {
  await seedImports();
  await page.addInitScript(`
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });`);
  await page.reload();
  const byDay = page.getByRole("table", { name: "Calls by day" });
  await byDay.waitFor({ state: "attached" });

  for (const days of [14, 7, 30]) {
    await page.getByRole("radio", { name: `${days} days` }).focus();
    await page.keyboard.press("Space");
    const expected = await importsInDatabase(days);
    const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
    await page.getByText(`${total} calls in ${days} days`).waitFor();
    const rows = await byDay.getByRole("row").allInnerTexts();
    expect(rows).toHaveLength(days + 1);
    const sums = rows.slice(1).map((row) => Number(row.split(/\s+/).at(-1)));
    expect(sums.reduce((sum, count) => sum + count, 0)).toBe(total);
  }
  expect(new URL(page.url()).search).toBe("?days=30");

  const failures = page.getByRole("table", { name: "Processing failed" });
  await failures.getByText("The audio can’t be decoded").waitFor();
  expect(await failures.getByRole("link", { name: "Show failed calls" }).getAttribute("href")).toMatch(
    /^\/console\/calls\?status=failed/,
  );
  // Refusals are counted with a delay of a few seconds.
  await expect
    .poll(
      async () => {
        await page.reload();
        await byDay.waitFor({ state: "attached" });
        return page.getByRole("table", { name: "Refused imports" }).getByRole("row").allInnerTexts();
      },
      { timeout: 60_000, interval: 2_000 },
    )
    .toEqual([
      expect.stringContaining("Reason"),
      expect.stringMatching(/The agent does not exist[\s\S]*Support\s+3$/),
      expect.stringMatching(/The campaign does not exist[\s\S]*No campaign\s+1$/),
    ]);
  expect(await page.evaluate("window.shifted")).toBeLessThan(0.05);

  await page.getByRole("button", { name: "Show as table" }).focus();
  await page.keyboard.press("Enter");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Hide table" }).click();
  await screenshots(page, "imports");
}, 240_000);
