import { describe, expect, test, vi } from "vitest";
import { operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createTestUser, signedIn } from "../testing/users.ts";
import { changeUser } from "./change-user.ts";
import { findUser } from "./find-user.ts";
import { inviteUser } from "./invite-user.ts";
import { removeUser } from "./remove-user.ts";

const service = await openTestApp();
const { app, api, caller, admin } = service;
const { workspaceId } = caller;
const by = operatorIn(workspaceId);

test("the last administrator who can sign in cannot be removed or erased", async () => {
  const ann = await createTestUser(app, workspaceId);
  const headers = await signedIn(api, ann.email);
  await inviteUser(app, by, { email: "bob@example.com", name: "Bob Roy", role: "admin", sendInvitation: false });
  const erase = () => api.inject({ method: "POST", url: "/erasures", payload: { agent_id: ann.id }, headers });
  const demote = () => api.inject({ method: "PATCH", url: `/users/${ann.id}`, payload: { role: "reviewer" }, headers });
  for (const leave of [erase, demote]) {
    expect((await leave()).json(), "Bob has no password yet").toMatchObject({ status: 409, code: "last_admin" });
  }
  await createTestUser(app, workspaceId);
  expect((await erase()).statusCode).toBe(202);
});

describe("of the last two administrators", () => {
  /** Two administrators of a new workspace, each with session headers. */
  async function two() {
    const { workspaceId: place } = await service.anotherWorkspace();
    const people = [await createTestUser(app, place), await createTestUser(app, place)] as const;
    const headers = [await signedIn(api, people[0].email), await signedIn(api, people[1].email)] as const;
    const erase = (whom: 0 | 1, by: 0 | 1) =>
      api.inject({ method: "POST", url: "/erasures", payload: { agent_id: people[whom].id }, headers: headers[by] });
    const change = (whom: 0 | 1, by: 0 | 1, payload: object) =>
      api.inject({ method: "PATCH", url: `/users/${people[whom].id}`, payload, headers: headers[by] });
    const waiting = async () => {
      const { rows } = await admin.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length;
    };
    /** Starts both while a lock blocks them, then releases it. */
    async function atOnce(...both: (() => Promise<{ statusCode: number }>)[]) {
      const holder = await admin.connect();
      await holder.query("begin");
      await holder.query("select from app_user where workspace_id = $1 for update", [place]);
      const answers = Promise.all(both.map((one) => one()));
      await vi.waitFor(async () => expect(await waiting()).toBe(both.length), { timeout: 20_000 });
      await holder.query("commit");
      holder.release();
      return (await answers).map(({ statusCode }) => statusCode).sort();
    }
    return { erase, change, atOnce };
  }

  test("one stays if both are removed concurrently", async () => {
    const demoted = { role: "reviewer" };
    const each = await two();
    expect(
      await each.atOnce(
        () => each.change(0, 1, demoted),
        () => each.change(1, 0, demoted),
      ),
    ).toEqual([200, 409]);
    const erased = await two();
    expect(
      await erased.atOnce(
        () => erased.erase(0, 0),
        () => erased.erase(1, 1),
      ),
    ).toEqual([202, 409]);
    const both = await two();
    const [first, second] = await both.atOnce(
      () => both.erase(0, 1),
      () => both.change(1, 0, { deactivated: true }),
    );
    expect([[200, 202].includes(first ?? 0), second]).toEqual([true, 409]);
  });

  test("one who is being erased does not count", async () => {
    const { erase, change } = await two();
    expect((await erase(0, 1)).statusCode).toBe(202);
    for (const answer of [await erase(1, 0), await change(1, 0, { deactivated: true })]) {
      expect(answer.json()).toMatchObject({ status: 409, code: "last_admin" });
    }
    expect((await change(0, 1, { role: "agent" })).statusCode).toBe(200);
  });
});

test("an erased administrator whose row is kept loses the role, and can be invited again", async () => {
  const { id, email } = await createTestUser(app, workspaceId, { role: "agent" });
  await (await callImporter(service))({ agentEmail: email });
  await changeUser(app, by, id, { role: "admin" });
  await inWorkspace(app, workspaceId, async (tx) => removeUser(app, tx, await findUser(tx, workspaceId, id)));
  const find = async () => (await admin.query("select role, deactivated_at from app_user where id = $1", [id])).rows[0];
  expect(await find()).toEqual({ role: "agent", deactivated_at: expect.any(Date) });
  await inviteUser(app, by, { email, name: "Ann Lee", role: "reviewer", sendInvitation: false });
  expect(await find()).toEqual({ role: "reviewer", deactivated_at: null });
});
