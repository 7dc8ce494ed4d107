import { expect, test } from "vitest";
import { openTestApp } from "../testing/test-app.ts";
import { partsOfACall } from "./remove-calls.ts";

const { admin } = await openTestApp();

test("everything that refers to a call goes with it", async () => {
  const { rows } = await admin.query<{ name: string }>(
    `select conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = 'call'::regclass and confdeltype <> 'c' and conparentid = 0`,
  );
  const named = partsOfACall.map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(rows.map(({ name }) => name).sort()).toEqual(named.sort());
});
