import { randomUUID } from "node:crypto";
import type { TranscriptMatchesBody } from "@hearback/contract";
import { beforeAll, expect, test } from "vitest";
import { newObjectKey } from "../../calls/objects/object-key.ts";
import { indexWords } from "../../calls/search/index-words.ts";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { insertCalls } from "../../testing/insert-calls.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { createTestUser, signedIn } from "../../testing/users.ts";
import { textsOfSides } from "../spoken-sides.ts";
import { encodeTranscript } from "../store/transcript-object.ts";
import { makeTurns } from "../transcript.ts";

const { app, api, key, restrictedKey, admin, caller, campaignId } = await openTestApp();
const { workspaceId } = caller;
const headers = { "x-api-key": await key("read") };

const spoken = (channel: "left" | "right", from: number, text: string) =>
  text.split(" ").map((word, n) => ({
    channel,
    text: word === "#" ? "" : word,
    startMs: from + n * 300,
    endMs: from + n * 300 + 250,
    probability: 0.9,
    ...(word === "#" && { mask: "card_number" as const }),
  }));
const turns = makeTurns([
  ...spoken("left", 0, "Bonjour que puis-je faire pour vous"),
  ...spoken("right", 4_000, "Je souhaite RÉSILIER l’abonnement de ma mère, carte # expirée"),
  ...spoken("left", 9_000, "Vous souhaitez résilier"),
]);

let id = "";
let transcriptId = "";

beforeAll(async () => {
  const { rows } = await admin.query<{ id: string }>("select id from app_user");
  [id = ""] = await insertCalls(admin, [
    {
      workspaceId,
      campaignId,
      agentId: rows[0]?.id ?? "",
      happenedAt: new Date("2026-03-05T10:00:00Z"),
      importedAt: new Date("2026-03-05T11:00:00Z"),
      status: "ready",
      durationMs: 12_000,
      metadata: [],
      seed: 1,
    },
  ]);
  await admin.query("update campaign set agent_channel = 'left'");
  const objectKey = newObjectKey("transcripts", workspaceId);
  const bytes = await encodeTranscript(turns);
  const upload = app.storage.create(objectKey, workspaceId);
  await upload.write(bytes);
  await upload.finish();
  transcriptId = randomUUID();
  await admin.query(
    `insert into transcript (workspace_id, call_id, id, object_key, object_bytes, language, engine, model, version, words)
     values ($1, $2, $3, $4, $5, 'fr', 'local', 'test', 1, '{}')`,
    [workspaceId, id, transcriptId, objectKey, bytes.length],
  );
  await inWorkspace(app, workspaceId, (tx) =>
    indexWords(tx, { workspaceId, callId: id, language: "fr", sides: textsOfSides(turns) }),
  );
});

const ask = (query: Record<string, string>, as: Record<string, string> = headers, call = id) =>
  api.inject({ method: "GET", url: `/calls/${call}/transcript/matches?${new URLSearchParams(query)}`, headers: as });
const matches = async (query: Record<string, string>) => {
  const answer = await ask(query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<TranscriptMatchesBody>().matches;
};
const isListed = async (said: string) => {
  const answer = await api.inject({ method: "GET", url: `/calls?${new URLSearchParams({ said })}`, headers });
  return answer.json<{ calls: unknown[] }>().calls.length > 0;
};

test("returns where it was said, with times, sides and the words around it", async () => {
  expect(await matches({ said: '"resilier l\'abonnement"' })).toEqual([
    {
      side: "customer",
      channel: "right",
      start_ms: 4_600,
      end_ms: 5_150,
      before: "Je souhaite",
      text: "RÉSILIER l’abonnement",
      after: "de ma mère, carte [card number] expirée",
    },
  ]);
});

test.each([
  ["résilier", 2],
  ["resilier", 2],
  ["souhaite resilier", 2],
  ['"souhaite resilier"', 2],
  ["abonnements", 1],
  ["bonjour abonnement", 0],
  ["Mère", 1],
  ['"carte expirée"', 1],
  ["card", 0],
  ['"resilier souhaite"', 0],
  ["tomate", 0],
])("agrees with the search about %s", async (said, count) => {
  expect(await matches({ said })).toHaveLength(count);
  expect(await isListed(said)).toBe(count > 0);
});

test("takes one side, and at most `limit` matches", async () => {
  const sides = async (query: Record<string, string>) =>
    (await matches({ said: "résilier", ...query })).map(({ side }) => side);
  expect(await sides({ said_by: "agent" })).toEqual(["agent"]);
  expect(await sides({ said_by: "customer" })).toEqual(["customer"]);
  expect(await sides({ said_by: "right" })).toEqual(["customer"]);
  expect(await sides({ limit: "1" })).toEqual(["customer"]);
});

test("searches in corrected words", async () => {
  await admin.query(
    `insert into transcript_correction (workspace_id, call_id, transcript_id, turn, word, number, text, author_type, author_id)
     select $1, $2, $3, 1, 6, number, text, 'key', $1 from (values (1, 'tante'), (2, 'grand-mère,')) as given (number, text)`,
    [workspaceId, id, transcriptId],
  );
  expect((await matches({ said: '"ma grand mere"' }))[0]).toMatchObject({
    text: "ma grand-mère,",
    before: "Je souhaite RÉSILIER l’abonnement de",
  });
  expect(await matches({ said: "tante" })).toEqual([]);
});

test("is audited as reading the transcript, once", async () => {
  const { rows } = await admin.query(
    "select count(*)::int as n from audit_entry where action = 'call.transcript_read'",
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test("is empty without a transcript, and hidden from those who may not see the call", async () => {
  await createCampaign(app, operatorIn(workspaceId), { id: "sales", name: "Sales" });
  const agent = await createTestUser(app, workspaceId, { role: "agent" });
  expect((await ask({ said: "bonjour" }, await signedIn(api, agent.email))).statusCode).toBe(404);
  expect((await ask({ said: "bonjour" }, { "x-api-key": await restrictedKey("sales") })).statusCode).toBe(404);
  expect((await ask({ said: "bonjour" }, headers, randomUUID())).statusCode).toBe(404);
  expect((await ask({ said: "!" })).statusCode).toBe(422);
  await admin.query("delete from transcript");
  expect(await matches({ said: "bonjour" })).toEqual([]);
});
