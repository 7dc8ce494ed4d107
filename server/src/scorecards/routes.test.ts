import { template } from "@hearback/scoring/templates";
import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../testing/json-client.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createTestUser, signedIn } from "../testing/users.ts";

const service = await openTestApp();
const { key, restrictedKey, app, api, admin, caller, campaignId } = service;
const ask = openJsonClient(service, await key("review"));
const unknown = "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d";
const support = template("support", "en");

const create = async (body: object = { template: "support" }) => (await ask("POST", "/scorecards", body)).body;
const publish = (id: string, ifMatch?: number) =>
  ask("POST", `/scorecards/${id}/publish`, undefined, undefined, ifMatch ? { "if-match": `"${ifMatch}"` } : {});
const saveDraft = (id: string, document: object, ifMatch?: string) =>
  ask("PUT", `/scorecards/${id}/draft`, { document }, undefined, ifMatch ? { "if-match": ifMatch } : {});

/** Sends requests as a signed-in user. */
async function asRole(role: "agent" | "reviewer" | "supervisor") {
  const { email } = await createTestUser(app, caller.workspaceId, { role });
  const headers = await signedIn(api, email);
  return (method: "GET" | "POST", url: string, payload?: object) =>
    api.inject({ method, url, headers, ...(payload && { payload }) });
}

test("a scorecard starts from a template, is published, changed and published again", async () => {
  const created = await create({ template: "support", language: "fr", name: "Assistance" });
  expect(created).toMatchObject({
    name: "Assistance",
    latest_version: null,
    has_draft: true,
    draft_number: 1,
    draft: { findings: [], document: { language: "fr", name: "Assistance" } },
  });
  const { id } = created;
  const first = await publish(id);
  expect(first).toMatchObject({ status: 201, body: { version: 1, document: { name: "Assistance" } } });
  expect((await ask("GET", `/scorecards/${id}`)).body).toMatchObject({ latest_version: 1, draft: null });

  const changed = { ...first.body.document, name: "Support client", passing_score: 85 };
  const saved = await saveDraft(id, changed);
  // The name of the published version stays until the next one.
  expect(saved.body).toMatchObject({ name: "Assistance", has_draft: true, draft: { document: changed } });
  expect(await publish(id)).toMatchObject({ status: 201, body: { version: 2 } });
  expect((await ask("GET", `/scorecards/${id}`)).body).toMatchObject({ name: "Support client", latest_version: 2 });
  expect((await ask("GET", `/scorecards/${id}/versions/1`)).body).toEqual(first.body);
  const { versions, next } = (await ask("GET", `/scorecards/${id}/versions?limit=1`)).body;
  expect(versions).toMatchObject([{ version: 2 }]);
  expect((await ask("GET", `/scorecards/${id}/versions?limit=1&cursor=${next}`)).body).toMatchObject({
    versions: [{ version: 1, digest: first.body.digest }],
    next: null,
  });
});

test("publishing writes an audit entry and an event", async () => {
  const { id } = await create();
  const [entry] = await auditOf(service, () => publish(id));
  expect(entry).toMatchObject({ action: "scorecard.published", subject_id: id, data: { version: 1 } });
  const { rows } = await admin.query(
    "select data from event where type = 'scorecard.published' and data ->> 'scorecard_id' = $1",
    [id],
  );
  expect(rows).toEqual([{ data: { scorecard_id: id, version: 1 } }]);
});

test("a draft may be incomplete, and cannot be published then", async () => {
  const { id, draft } = await create({ name: "New form" });
  expect(draft.findings).toMatchObject([{ severity: "error", code: "no_questions" }]);
  const refused = await publish(id);
  expect(refused).toMatchObject({ status: 422, body: { code: "scorecard_invalid", findings: draft.findings } });
  const broken = await saveDraft(id, { name: 7, sections: "none" });
  expect(broken.status).toBe(200);
  expect(broken.body.draft.findings.map(({ path }: { path: string }) => path)).toContain("/sections");
  expect((await publish(id)).body.code).toBe("scorecard_invalid");
});

test("a draft that was changed meanwhile is not overwritten", async () => {
  const { id } = await create();
  expect((await saveDraft(id, { ...support, passing_score: 70 }, '"1"')).body.draft_number).toBe(2);
  expect(await saveDraft(id, { ...support, passing_score: 60 }, '"1"')).toMatchObject({
    status: 412,
    body: { code: "draft_changed", number: 2 },
  });
  // The same request again, because the response was lost.
  expect(await saveDraft(id, { ...support, passing_score: 70 }, '"1"')).toMatchObject({ status: 200 });
  expect(await publish(id, 1)).toMatchObject({ status: 412 });
  expect(await publish(id, 2)).toMatchObject({ status: 201 });
  expect(await saveDraft(id, support, "soon")).toMatchObject({ status: 422 });
});

test("concurrent changes of a draft: one wins", async () => {
  const { id } = await create();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => saveDraft(id, { ...support, passing_score: n }, '"1"')),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
});

test("publishing twice, without a draft or without a change is a conflict", async () => {
  const { id } = await create();
  const published = await Promise.all([publish(id), publish(id)]);
  expect(published.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await publish(id)).body.code).toBe("draft_missing");
  await saveDraft(id, support);
  expect((await publish(id)).body).toMatchObject({ code: "scorecard_unchanged" });
});

test("a draft can be discarded", async () => {
  const { id } = await create();
  await publish(id);
  await saveDraft(id, { ...support, passing_score: 70 });
  const discard = (ifMatch: string) =>
    ask("DELETE", `/scorecards/${id}/draft`, undefined, undefined, { "if-match": ifMatch });
  expect((await discard('"1"')).status).toBe(412);
  expect((await discard('"3"')).status).toBe(204);
  expect((await discard('"3"')).status).toBe(204);
  expect((await ask("GET", `/scorecards/${id}`)).body).toMatchObject({ has_draft: false, draft: null });
});

test("a scorecard is assigned to campaigns and arbiters, and retired, with one audit entry for each change", async () => {
  const { id } = await create();
  const { id: reviewer } = await createTestUser(app, caller.workspaceId, { role: "reviewer" });
  const entries = await auditOf(service, async () => {
    const change = { campaign_ids: [campaignId, campaignId], arbiter_ids: [reviewer] };
    expect((await ask("PATCH", `/scorecards/${id}`, change)).body).toMatchObject({
      campaign_ids: [campaignId],
      arbiter_ids: [reviewer],
    });
    await ask("PATCH", `/scorecards/${id}`, change);
    expect((await ask("PATCH", `/scorecards/${id}`, { retired: true })).body.retired_at).not.toBeNull();
    expect((await ask("PATCH", `/scorecards/${id}`, { retired: false, campaign_ids: [] })).body).toMatchObject({
      retired_at: null,
      campaign_ids: [],
    });
  });
  expect(entries.map(({ action, data }) => [action, data])).toEqual([
    ["scorecard.changed", { changed: ["campaign_ids", "arbiter_ids"] }],
    ["scorecard.retired", { changed: ["retired"] }],
    ["scorecard.changed", { changed: ["campaign_ids", "retired"] }],
  ]);
});

test("lists are paged, newest first, by campaign and without retired ones", async () => {
  const ids: string[] = [];
  for (const name of ["L1", "L2", "L3"]) ids.unshift((await create({ template: "sales", name })).id);
  const [third = "", second = "", first = ""] = ids;
  await publish(third);
  await publish(first);
  await ask("PATCH", `/scorecards/${third}`, { campaign_ids: [campaignId] });
  const idsOf = async (query: string) =>
    (await ask("GET", `/scorecards?${query}`)).body.scorecards.map(({ id }: { id: string }) => id);
  const page = (await ask("GET", "/scorecards?limit=2")).body;
  expect(page.scorecards.map(({ id }: { id: string }) => id)).toEqual([third, second]);
  expect((await idsOf(`limit=1&cursor=${page.next}`))[0]).toBe(first);
  const forCampaign = await idsOf(`campaign_id=${campaignId}`);
  expect(forCampaign).toEqual(expect.arrayContaining([third, first]));
  expect(forCampaign).not.toContain(second);
  expect(await idsOf("campaign_id=other")).not.toContain(third);
  await ask("PATCH", `/scorecards/${first}`, { retired: true });
  expect(await idsOf("limit=200")).not.toContain(first);
  expect(await idsOf("retired=true")).toEqual([first]);
});

test("agents, reviewers and read keys see published scorecards without drafts", async () => {
  const hidden = (await create({ template: "sales", name: "Hidden" })).id;
  const shown = (await create({ template: "sales", name: "Shown" })).id;
  await publish(shown);
  await saveDraft(shown, { ...support, name: "Renamed" });
  const readKey = await key("read");
  const readers = [
    await asRole("agent"),
    await asRole("reviewer"),
    async (_: "GET" | "POST", url: string) => api.inject({ method: "GET", url, headers: { "x-api-key": readKey } }),
  ];
  for (const read of readers) {
    expect((await read("GET", `/scorecards/${hidden}`)).statusCode).toBe(404);
    expect((await read("GET", `/scorecards/${shown}`)).json()).toMatchObject({
      name: "Shown",
      has_draft: false,
      draft_number: null,
      draft: null,
    });
    expect((await read("GET", "/scorecards?limit=200")).body).not.toContain(hidden);
    expect((await read("GET", `/scorecards/${shown}/versions/1`)).statusCode).toBe(200);
  }
  const [agent, , withKey] = readers;
  expect((await agent?.("POST", "/scorecards", { template: "sales" }))?.statusCode).toBe(403);
  expect((await ask("POST", "/scorecards", { template: "sales" }, readKey)).body.code).toBe("scope_missing");
  expect((await withKey?.("GET", "/scorecards"))?.statusCode).toBe(200);
  const supervisor = await asRole("supervisor");
  expect((await supervisor("GET", `/scorecards/${shown}`)).json().draft.document.name).toBe("Renamed");
  expect((await supervisor("POST", "/scorecards", { template: "collections" })).statusCode).toBe(201);
});

test("a key for some campaigns sees the scorecards for these and for all campaigns", async () => {
  const manage = await key("manage");
  await ask("POST", "/campaigns", { id: "elsewhere", name: "Elsewhere" }, manage);
  const [everywhere, here, elsewhere] = [await create(), await create(), await create()];
  for (const { id } of [everywhere, here, elsewhere]) await publish(id);
  await ask("PATCH", `/scorecards/${here.id}`, { campaign_ids: [campaignId] });
  await ask("PATCH", `/scorecards/${elsewhere.id}`, { campaign_ids: ["elsewhere"] });
  const restricted = await restrictedKey(campaignId);
  await ask("PATCH", `/scorecards/${here.id}`, { campaign_ids: [campaignId, "elsewhere"] });
  expect((await ask("GET", `/scorecards/${here.id}`, undefined, restricted)).body.campaign_ids).toEqual([campaignId]);
  const status = async ({ id }: { id: string }) =>
    (await ask("GET", `/scorecards/${id}`, undefined, restricted)).status;
  expect([await status(everywhere), await status(here), await status(elsewhere)]).toEqual([200, 200, 404]);
});

const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });

test.each([
  ["POST", "/scorecards", { template: "none" }, 422, "fields_invalid"],
  ["POST", "/scorecards", { template: "sales", document: {} }, 422, "fields_invalid"],
  ["POST", "/scorecards", { document: [] }, 422, "fields_invalid"],
  ["POST", "/scorecards", { document: { name: "a\0b" } }, 422, "fields_invalid"],
  ["POST", "/scorecards", { document: { name: "\ud800" } }, 422, "fields_invalid"],
  ["POST", "/scorecards", { document: deep(40) }, 422, "fields_invalid"],
  ["POST", "/scorecards", { document: { a: 1e300 } }, 422, "fields_invalid"],
  ["POST", "/scorecards", { document: { a: 1e-300 } }, 422, "fields_invalid"],
  ["POST", "/scorecards", { document: { name: "a".repeat(300_000) } }, 422, "fields_invalid"],
  ["POST", "/scorecards", { document: { name: "a".repeat(500_000) } }, 413, "body_too_large"],
  ["POST", "/scorecards", { template: "sales", campaign_ids: ["nowhere"] }, 422, "fields_invalid"],
  ["PATCH", `/scorecards/${unknown}`, {}, 404, "scorecard_not_found"],
  ["PUT", `/scorecards/${unknown}/draft`, { document: {} }, 404, "scorecard_not_found"],
  ["DELETE", `/scorecards/${unknown}/draft`, undefined, 404, "scorecard_not_found"],
  ["POST", `/scorecards/${unknown}/publish`, undefined, 404, "scorecard_not_found"],
  ["GET", "/scorecards/nowhere", undefined, 404, "scorecard_not_found"],
  ["GET", `/scorecards/${unknown}/versions`, undefined, 404, "scorecard_not_found"],
  ["GET", "/scorecards?retired=maybe", undefined, 422, "fields_invalid"],
] as const)("%s %s with %j returns %s %s", async (method, url, body, status, code) => {
  expect(await ask(method, url, body)).toMatchObject({ status, body: { code } });
});

test.each(["0", "2", "x", "99999999999"])(
  "version %s of a scorecard with one version does not exist",
  async (version) => {
    const { id } = await create();
    await publish(id);
    expect(await ask("GET", `/scorecards/${id}/versions/${version}`)).toMatchObject({
      status: 404,
      body: { code: "scorecard_version_not_found" },
    });
  },
);

test("arbiters must be users who are not agents", async () => {
  const { id } = await create();
  const { id: agent } = await createTestUser(app, caller.workspaceId, { role: "agent" });
  for (const arbiter of [agent, unknown]) {
    expect(await ask("PATCH", `/scorecards/${id}`, { arbiter_ids: [arbiter] })).toMatchObject({
      status: 422,
      body: { errors: [{ part: "arbiter_ids", code: "not_found" }] },
    });
  }
});

test("the service cannot change or delete a published version", async () => {
  const { id } = await create();
  await publish(id);
  const as = (statement: string) =>
    admin.query(`begin; set local role hearback_service; ${statement}`).finally(() => admin.query("rollback"));
  await expect(as("update scorecard_version set version = 2")).rejects.toThrow(/permission denied/);
  await expect(as("delete from scorecard_version")).rejects.toThrow(/permission denied/);
});

test("a draft of the maximum size is stored, whatever its shape, and its findings stay small", async () => {
  const numbers = { a: Array.from({ length: 149_990 }, () => 1) };
  const members = Object.fromEntries(Array.from({ length: 25_000 }, (_, n) => [`m${n}`, -0]));
  for (const document of [numbers, members]) {
    const { id } = await create({ document });
    const saved = await saveDraft(id, document);
    expect(saved.status).toBe(200);
    expect(JSON.stringify(saved.body.draft.findings).length).toBeLessThan(100_000);
    expect((await saveDraft(id, document, '"1"')).status).toBe(200);
  }
});

test("an error behind hundreds of warnings prevents publishing", async () => {
  const options = Array.from({ length: 30 }, (_, n) => ({ id: `o${n}`, label: "Same", points: n }));
  const questions = Array.from({ length: 8 }, (_, n) => ({
    id: `q${n}`,
    title: `Q${n}`,
    type: "choice",
    weight: 1,
    options,
  }));
  const hidden = { id: "last", title: "Last", type: "yes_no", weight: 1, when: { question: "unknown", is: ["yes"] } };
  const sections = [{ id: "s", title: "S", questions: [...questions, hidden] }];
  const { id, draft } = await create({ document: { ...support, sections } });
  expect(draft.findings).toHaveLength(200);
  expect(draft.findings[0]).toMatchObject({ severity: "error", code: "condition_unknown_question" });
  expect((await publish(id)).body).toMatchObject({
    code: "scorecard_invalid",
    detail: expect.stringContaining("1 error."),
  });
});

test("two people who start a draft from the same version do not overwrite each other", async () => {
  const { id } = await create();
  await publish(id);
  const { draft_number: number } = (await ask("GET", `/scorecards/${id}`)).body;
  expect((await saveDraft(id, { ...support, passing_score: 70 }, `"${number}"`)).status).toBe(200);
  expect((await saveDraft(id, { ...support, passing_score: 60 }, `"${number}"`)).status).toBe(412);
});

test.each([{ role: "agent" }, { deactivated: true }])(
  "a user changed to %j is no longer an arbiter",
  async (change) => {
    const { id } = await create();
    const manage = await key("manage");
    const { id: arbiter } = await createTestUser(app, caller.workspaceId, { role: "reviewer" });
    await ask("PATCH", `/scorecards/${id}`, { arbiter_ids: [arbiter] });
    expect((await ask("PATCH", `/users/${arbiter}`, change, manage)).status).toBe(200);
    expect((await ask("GET", `/scorecards/${id}`)).body.arbiter_ids).toEqual([]);
    expect((await ask("PATCH", `/scorecards/${id}`, { arbiter_ids: [arbiter] })).status).toBe(422);
  },
);
