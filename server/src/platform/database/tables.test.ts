import { readFile } from "node:fs/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { describeTables } from "../../testing/describe-tables.ts";
import { openTestApp } from "../../testing/test-app.ts";

const { ownerUrl } = await openTestApp();

test('tables.ts matches the output of "npm run db:types"', async () => {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const fresh = await describeTables(client);
  await client.end();
  expect(await readFile(new URL("./tables.ts", import.meta.url), "utf8")).toBe(fresh);
});
