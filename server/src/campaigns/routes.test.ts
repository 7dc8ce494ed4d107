import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../testing/json-client.ts";
import { openPerson } from "../testing/reviews.ts";
import { openTestApp } from "../testing/test-app.ts";

const service = await openTestApp();
const { key, restrictedKey, admin } = service;
const ask = openJsonClient(service, await key("manage"));

test("a campaign can be created, read, changed, archived and restored", async () => {
  const created = await ask("POST", "/campaigns", { id: "sales", name: "Sales", agent_channel: "left" });
  expect(created).toMatchObject({
    status: 201,
    body: { id: "sales", name: "Sales", agent_channel: "left", archived: false, archived_at: null },
  });
  expect((await ask("GET", "/campaigns/sales")).body).toEqual(created.body);
  const changed = await ask("PATCH", "/campaigns/sales", { name: "Sales EU", agent_channel: "unknown" });
  expect(changed.body).toEqual({ ...created.body, name: "Sales EU", agent_channel: "unknown" });
  const archived = (await ask("PATCH", "/campaigns/sales", { archived: true })).body;
  expect(archived).toMatchObject({ archived: true, archived_at: expect.any(String) });
  expect((await ask("PATCH", "/campaigns/sales", { archived: true })).body).toEqual(archived);
  expect((await ask("PATCH", "/campaigns/sales", { archived: false })).body).toEqual(changed.body);
});

test("a taken id is a conflict that includes the existing campaign; without an id, one is generated", async () => {
  const first = await ask("POST", "/campaigns", { id: "taken", name: "First" });
  const again = await ask("POST", "/campaigns", { id: "taken", name: "Second" });
  expect(again).toMatchObject({ status: 409, body: { code: "campaign_exists", campaign: first.body } });
  const [one, other] = [await ask("POST", "/campaigns", { name: "A" }), await ask("POST", "/campaigns", { name: "A" })];
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(one.body.id).not.toBe(other.body.id);
});

test("campaigns are listed in pages, archived ones on request", async () => {
  for (const id of ["p-1", "p-2", "p-3"]) await ask("POST", "/campaigns", { id, name: id });
  await ask("PATCH", "/campaigns/p-2", { archived: true });
  const ids: string[] = [];
  let path = "/campaigns?limit=2";
  for (let next: string | null = ""; next !== null; path = `/campaigns?limit=2&cursor=${next}`) {
    const page = (await ask("GET", path)).body;
    ids.push(...page.campaigns.map(({ id }: { id: string }) => id));
    next = page.next;
  }
  const { rows } = await admin.query("select id from campaign where archived_at is null order by id");
  expect(ids).toEqual(rows.map(({ id }) => id));
  const archived = (await ask("GET", "/campaigns?archived=true")).body.campaigns;
  expect(archived.map(({ id }: { id: string }) => id)).toEqual(["p-2"]);
  expect((await ask("GET", "/campaigns?archived=all")).body.campaigns).toHaveLength(ids.length + 1);
});

test.each([
  ["POST", "/campaigns", {}, 400, "member_missing"],
  ["POST", "/campaigns", { name: " " }, 422, "fields_invalid"],
  ["POST", "/campaigns", { name: "a", id: "a/b" }, 422, "fields_invalid"],
  ["POST", "/campaigns", { name: "a", agent_channel: "up" }, 422, "fields_invalid"],
  ["POST", "/campaigns", { name: "a", more: 1 }, 422, "fields_invalid"],
  ["PATCH", "/campaigns/support-fr", { archived: "yes" }, 422, "fields_invalid"],
  ["PATCH", "/campaigns/support-fr", { id: "b" }, 422, "fields_invalid"],
  ["PATCH", "/campaigns/nowhere", { name: "b" }, 404, "campaign_not_found"],
  ["GET", "/campaigns/nowhere", undefined, 404, "campaign_not_found"],
  ["GET", "/campaigns/%00", undefined, 404, "campaign_not_found"],
  ["GET", "/campaigns?archived=maybe", undefined, 422, "fields_invalid"],
  ["GET", "/campaigns?limit=501", undefined, 422, "fields_invalid"],
] as const)("%s %s with %j returns %s %s", async (method, url, body, status, code) => {
  expect(await ask(method, url, body)).toMatchObject({ status, body: { code } });
});

test("read and import keys can read campaigns but not change them", async () => {
  for (const scope of ["read", "import"] as const) {
    const apiKey = await key(scope);
    expect((await ask("GET", "/campaigns", undefined, apiKey)).status).toBe(200);
    expect((await ask("GET", "/campaigns/support-fr", undefined, apiKey)).status).toBe(200);
    expect((await ask("POST", "/campaigns", { name: "a" }, apiKey)).status).toBe(403);
    expect((await ask("PATCH", "/campaigns/support-fr", { name: "a" }, apiKey)).status).toBe(403);
  }
});

test("a restricted key sees only its own campaigns", async () => {
  await ask("POST", "/campaigns", { id: "mine", name: "Mine" });
  const apiKey = await restrictedKey("mine");
  const { campaigns } = (await ask("GET", "/campaigns?archived=all", undefined, apiKey)).body;
  expect(campaigns.map(({ id }: { id: string }) => id)).toEqual(["mine"]);
  expect((await ask("PATCH", "/campaigns/mine", { name: "Still mine" }, apiKey)).status).toBe(200);
  for (const method of ["GET", "PATCH"] as const) {
    const body = method === "PATCH" ? { name: "Theirs" } : undefined;
    const refused = await ask(method, "/campaigns/support-fr", body, apiKey);
    expect(refused).toMatchObject({ status: 404, body: { code: "campaign_not_found" } });
  }
  expect(await ask("POST", "/campaigns", { name: "a" }, apiKey)).toMatchObject({ body: { code: "key_restricted" } });
  expect((await ask("GET", "/campaigns/support-fr")).body.name).toBe("Support");
});

test("each change adds one audit entry and one event, and no-ops add none", async () => {
  const events = async () => (await admin.query("select data from event where type = 'campaign.changed'")).rows.length;
  const before = await events();
  const entries = await auditOf(service, async () => {
    await ask("POST", "/campaigns", { id: "noted", name: "Noted" });
    await ask("POST", "/campaigns", { id: "noted", name: "Noted" });
    await ask("PATCH", "/campaigns/noted", { name: "Other", archived: false });
    await ask("PATCH", "/campaigns/noted", { name: "Other" });
    await ask("PATCH", "/campaigns/noted", { archived: true });
    await ask("PATCH", "/campaigns/noted", {});
    await ask("PATCH", "/campaigns/noted", { archived: false });
  });
  expect(entries.map(({ action, data }) => [action, data])).toEqual([
    ["campaign.created", {}],
    ["campaign.changed", { changed: ["name"] }],
    ["campaign.archived", { changed: ["archived"] }],
    ["campaign.changed", { changed: ["archived"] }],
  ]);
  expect(entries.every((entry) => entry.subject_id === "noted" && entry.actor_type === "key")).toBe(true);
  expect(await events()).toBe(before + 3);
});

test("transcription and masking are changed by administrators, and audited with their values", async () => {
  const entries = await auditOf(service, async () => {
    const body = { id: "spoken", name: "Spoken", transcription_language: "fr" };
    expect(await ask("POST", "/campaigns", body)).toMatchObject({
      status: 201,
      body: { transcription_language: "fr", masking: "text", erase_masked_originals: false },
    });
    const changed = await ask("PATCH", "/campaigns/spoken", {
      masking: "text_and_sound",
      erase_masked_originals: true,
    });
    expect(changed.body).toMatchObject({ masking: "text_and_sound", erase_masked_originals: true });
    await ask("PATCH", "/campaigns/spoken", { transcription_language: null });
  });
  expect(entries.map(({ data }) => data)).toEqual([
    { transcription_language: "fr" },
    {
      changed: ["masking", "erase_masked_originals"],
      masking: "text_and_sound",
      erase_masked_originals: true,
    },
    { changed: ["transcription_language"], transcription_language: null },
  ]);
  for (const body of [{ transcription_language: "French" }, { masking: "sound" }, { masking: "text" }])
    expect(await ask("PATCH", "/campaigns/spoken", body)).toMatchObject({ status: 422 });
  expect(
    await ask("POST", "/campaigns", { name: "A", transcription_language: "en", erase_masked_originals: true }),
  ).toMatchObject({ status: 422, body: { errors: [{ part: "erase_masked_originals" }] } });
  const supervisor = await openPerson(service, "supervisor");
  for (const body of [{ transcription_language: "en" }, { masking: "off" }, { erase_masked_originals: false }]) {
    expect((await supervisor.ask("PATCH", "/campaigns/spoken", body)).body).toMatchObject({ code: "role_missing" });
    expect((await supervisor.ask("POST", "/campaigns", { name: "B", ...body })).status).toBe(403);
  }
  expect((await supervisor.ask("PATCH", "/campaigns/spoken", { name: "Other" })).status).toBe(200);
});
