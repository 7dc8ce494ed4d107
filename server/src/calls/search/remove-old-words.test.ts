import { expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { firstCallId } from "./call-filters.ts";
import { indexWords } from "./index-words.ts";
import { removeOldWords } from "./remove-old-words.ts";

const { app, admin, caller } = await openTestApp();

test("removes the words of older calls, in workspaces with that setting only, in any number of pages", async () => {
  const now = Date.now();
  const day = 24 * 60 * 60_000;
  const other = await createWorkspace(app, "Other");
  const ages = [1, 20, 40, 70, 100];
  for (const age of ages) await admin.query("select add_call_month($1)", [new Date(now - age * day)]);
  for (const workspaceId of [caller.workspaceId, operatorIn(other.id).workspaceId]) {
    for (const age of ages) {
      const callId = firstCallId(now - age * day);
      const sides = [
        { channel: "left" as const, text: "hello there" },
        { channel: "right" as const, text: "hello" },
      ];
      await inWorkspace(app, workspaceId, (tx) => indexWords(tx, { workspaceId, callId, language: "en", sides }));
    }
  }
  // More than two pages.
  await admin.query(
    `insert into call_words (workspace_id, call_id, channel, part, words)
      select $1, overlay(first_call_id($2)::text placing lpad(n::text, 12, '0') from 25)::uuid, 'left', 0, ''
      from generate_series(1, 2500) as n`,
    [caller.workspaceId, new Date(now - 70 * day)],
  );
  await admin.query(`update workspace set settings = settings || '{"searchable_months": 1}' where id = $1`, [
    caller.workspaceId,
  ]);

  await removeOldWords.perform(app, {});
  await removeOldWords.perform(app, {});
  const { rows } = await admin.query(
    "select workspace_id as id, count(distinct call_id)::int as calls from call_words group by 1 order by 2",
  );
  expect(rows).toEqual([
    { id: caller.workspaceId, calls: 2 },
    { id: other.id, calls: 5 },
  ]);
});
