import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storeTranscript } from "../support/data/stored-transcripts.ts";
import { get, waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { send } from "../support/http/http.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { runServerCommand } from "../support/stack/server-command.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";
import { inParallel } from "../support/waiting.ts";

/*
 * docs/audit.md: every action leaves exactly one entry, and tampering with the log is detected.
 */

let stack: Stack;
let apis: readonly ApiProcess[];
let service: Service;
/** A call that is ready. */
let callId: string;
let transcriptId: string;
beforeAll(async () => {
  stack = await openStack();
  apis = await Promise.all([stack.startApi(), stack.startApi()]);
  const worker = await stack.startWorker();
  service = await withEveryScope(stack, { ...stack, baseUrl: apis[0]?.baseUrl ?? "" });
  callId = (await importCall(service)).id;
  await waitForCall(service, callId);
  await worker.stop();
  const { workspaceId } = stack;
  transcriptId = (await storeTranscript(stack, { workspaceId, callId, said: "Hello Bo from Lyon" })).id;
}, 120_000);
afterAll(async () => {
  await stack?.stop();
});

interface Entry {
  readonly number: number;
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly data: Record<string, unknown>;
  readonly hash: string;
}

async function entriesAfter(number: number): Promise<Entry[]> {
  const answer = await get<{ entries: Entry[] }>(service, `/audit?after=${number}&limit=200`);
  expect(answer.status).toBe(200);
  return [...answer.body.entries];
}
const lastNumber = async () =>
  (await get<{ entries: Entry[] }>(service, "/audit?limit=1")).body.entries[0]?.number ?? 0;

/** An action and the entry that it leaves. */
interface AuditedAction {
  readonly action: string;
  /** Type of the subject. */
  readonly subject: string;
  readonly by?: "operator";
  readonly do: () => Promise<unknown>;
}
const audio = (query = "") => `/calls/${callId}/audio${query}`;
const inPieces = (path: string) =>
  inParallel(12, 4, async (n) => {
    const headers = { "x-api-key": service.apiKey, range: `bytes=${n * 7}-${n * 7 + 6}` };
    const answer = await send(service.baseUrl + path, { method: "GET", headers });
    expect(answer.status).toBe(206);
  });
const ask = async <Body>(method: string, path: string, body: object): Promise<Body> => {
  const answer = await send<Body>(service.baseUrl + path, {
    method,
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
};
const change = (value: string | null) => ask("PATCH", `/calls/${callId}`, { agent_channel: value });
/** Ids created by the actions below. */
const made: Record<string, string> = {};
const make = async (kind: string, path: string, body: object) => {
  made[kind] = (await ask<{ id: string }>("POST", path, body)).id;
};
const command = (...words: string[]) => stack.command(...words, "--workspace", stack.workspaceId);

const auditedActions: Readonly<Record<string, AuditedAction>> = {
  "playing a call in many ranges": { action: "call.listened", subject: "call", do: () => inPieces(audio()) },
  "downloading the recording": {
    action: "call.downloaded",
    subject: "call",
    do: () => inPieces(audio("?original=true")),
  },
  "reading a transcript in several formats": {
    action: "call.transcript_read",
    subject: "call",
    do: () =>
      inParallel(3, 1, async (n) => {
        const answer = await get(service, `/calls/${callId}/transcript?format=${["json", "vtt", "text"][n]}`);
        expect(answer.status).toBe(200);
      }),
  },
  "correcting a transcript": {
    action: "call.transcript_corrected",
    subject: "call",
    do: () =>
      ask("PATCH", `/calls/${callId}/transcript`, {
        transcript_id: transcriptId,
        corrections: [{ turn: 0, word: 1, text: "Ann" }],
      }),
  },
  "editing a call": { action: "call.changed", subject: "call", do: () => change("left") },
  "exporting calls": {
    action: "calls.exported",
    subject: "workspace",
    do: () => get(service, "/calls/export?format=csv&campaign=support-fr"),
  },
  "exporting calls with the server command": {
    action: "calls.exported",
    subject: "workspace",
    by: "operator",
    do: () => command("calls", "export", "--format", "jsonl"),
  },
  "exporting the log": {
    action: "audit.exported",
    subject: "workspace",
    do: () => get(service, "/audit/export?format=jsonl"),
  },
  "exporting the log with the server command": {
    action: "audit.exported",
    subject: "workspace",
    by: "operator",
    do: () => command("audit", "export", "--format", "csv"),
  },
  "creating a key": {
    action: "key.created",
    subject: "key",
    do: () => make("key", "/keys", { name: "made", scopes: ["read"], campaign_ids: ["support-fr"] }),
  },
  "renaming a key": {
    action: "key.changed",
    subject: "key",
    do: () => ask("PATCH", `/keys/${made.key}`, { name: "renamed" }),
  },
  "rotating a key": {
    action: "key.rotated",
    subject: "key",
    do: () => ask("POST", `/keys/${made.key}/rotate`, { overlap_hours: 1 }),
  },
  "revoking a key": {
    action: "key.revoked",
    subject: "key",
    do: () =>
      send(`${service.baseUrl}/keys/${made.key}`, { method: "DELETE", headers: { "x-api-key": service.apiKey } }),
  },
  "creating a user": {
    action: "user.created",
    subject: "user",
    do: () =>
      make("user", "/users/invite", { email: "bo@example.com", name: "Bo", role: "agent", send_invite_email: false }),
  },
  "changing a user's role": {
    action: "user.changed",
    subject: "user",
    do: () => ask("PATCH", `/users/${made.user}`, { role: "supervisor" }),
  },
  "creating a campaign": {
    action: "campaign.created",
    subject: "campaign",
    do: () => make("campaign", "/campaigns", { id: "sales", name: "Sales" }),
  },
  "changing a campaign": {
    action: "campaign.changed",
    subject: "campaign",
    do: () => ask("PATCH", `/campaigns/${made.campaign}`, { name: "Sales in France" }),
  },
};

/** Actions that leave no entry. */
const unauditedActions: Readonly<Record<string, () => Promise<unknown>>> = {
  "playing on": () => inPieces(audio()),
  "an edit that changes nothing": () => change("left"),
  "requesting a range out of bounds": () =>
    send(service.baseUrl + audio(), {
      method: "GET",
      headers: { "x-api-key": service.apiKey, range: "bytes=99999999-" },
    }),
  "a HEAD request for the audio": () =>
    send(service.baseUrl + audio(), { method: "HEAD", headers: { "x-api-key": service.apiKey } }),
  "viewing a call, its waveform and speech": () =>
    inParallel(3, 1, async (n) => {
      await get(service, `/calls/${callId}${["", "/waveform", "/speech"][n]}`);
    }),
  "an import": () => importCall(service, { conversation_timestamp: "1714560000" }),
  "reading the log": () => get(service, "/audit"),
};

test.each(Object.entries(auditedActions))("%s leaves exactly one entry", async (_, audited) => {
  const before = await lastNumber();
  await audited.do();
  const entries = await entriesAfter(before);
  expect(entries).toHaveLength(1);
  const [entry] = entries;
  expect(entry).toMatchObject({
    number: before + 1,
    action: audited.action,
    subject: { type: audited.subject, id: { call: callId, workspace: stack.workspaceId, ...made }[audited.subject] },
    actor: { type: audited.by ?? "key" },
  });
});

test.each(Object.entries(unauditedActions))("%s leaves none", async (_, perform) => {
  const before = await lastNumber();
  await perform();
  expect(await entriesAfter(before)).toEqual([]);
});

test("100 concurrent first requests on two processes are one playback", async () => {
  const other = await withEveryScope(stack, service);
  const before = await lastNumber();
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const headers = { "x-api-key": other.apiKey, range: `bytes=${n}-${n + 9}` };
      return (await send(`${apis[n % 2]?.baseUrl}${audio()}`, { method: "GET", headers })).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([206]));
  expect((await entriesAfter(before)).map(({ action }) => action)).toEqual(["call.listened"]);
});

test("the log contains no free text", async () => {
  const { rows } = await stack.adminDb.query<{ text: string }>(
    "select audit_text(audit_entry) as text from audit_entry",
  );
  for (const { text } of rows) expect(text).not.toMatch(/example\.com|Ann|Bo|Lyon|renamed|France/);
});

describe("the service's role", () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: stack.env.DATABASE_URL });
    await client.connect();
    await client.query("select set_config('hearback.workspace', $1, false)", [stack.workspaceId]);
  });
  afterAll(() => client?.end());

  test.each([
    "update audit_entry set data = '{}'",
    "update audit_entry set number = number",
    "delete from audit_entry",
    "truncate audit_entry",
    "update audit_head set number = 0",
    "insert into audit_head select workspace_id, 0, hash from audit_head",
    "delete from audit_head",
    "alter table audit_entry disable trigger all",
    "drop trigger chain_audit_entry on audit_entry",
    "set session_replication_role = replica",
    "create or replace function audit_text(audit_entry) returns text language sql as 'select 1::text'",
  ])("may not %s", async (statement) => {
    await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test("cannot choose the number or time of an entry", async () => {
    const before = await lastNumber();
    await client.query(
      `insert into audit_entry (workspace_id, number, at, actor_type, action, subject_type, subject_id, hash)
       values ($1, 1, '2001-01-01', 'operator', 'call.changed', 'call', 'x', '\\x00')`,
      [stack.workspaceId],
    );
    const { rows } = await stack.adminDb.query(
      "select at > now() - interval '1 minute' as now from audit_entry where number = $1 and workspace_id = $2",
      [before + 1, stack.workspaceId],
    );
    expect(rows).toEqual([{ now: true }]);
    expect((await verify()).wrong).toEqual([]);
  });
});

interface VerifyResult {
  readonly entries: number;
  readonly wrong: readonly { readonly workspace_id: string; readonly number: number; readonly problem: string }[];
}

/** Runs the verify command, which must exit with 1 if and only if it finds a problem. */
async function verify(...words: string[]): Promise<VerifyResult & { code: number }> {
  const ran = await runServerCommand(stack.env, ["audit", "verify", "--json", ...words]).then(
    (stdout) => ({ stdout, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  const verdict = JSON.parse(ran.stdout) as VerifyResult;
  expect(ran.code).toBe(verdict.wrong.length > 0 ? 1 : 0);
  return { ...verdict, code: ran.code };
}

describe("tampering by a superuser", () => {
  const move = (from: number, to: number) => `update audit_entry set number = ${to} where number = ${from}`;
  const columns = "workspace_id, number, at, actor_type, actor_id, action, subject_type, subject_id, data, hash";
  const tampering: Readonly<Record<string, { statements: string[]; number: number; problem: string }>> = {
    "an edited entry": {
      statements: ["update audit_entry set actor_id = gen_random_uuid() where number = 3"],
      number: 3,
      problem: "edited",
    },
    "a deleted entry": { statements: ["delete from audit_entry where number = 4"], number: 4, problem: "missing" },
    "an inserted entry": {
      statements: [
        ...[
          "update audit_entry set number = -number where number > 4",
          "update audit_entry set number = 1 - number where number < 0",
        ],
        `insert into audit_entry select ${columns.replace("number", "5")} from audit_entry where number = 2`,
      ],
      number: 5,
      problem: "inserted",
    },
    "two swapped entries": { statements: [move(2, -1), move(6, 2), move(-1, 6)], number: 2, problem: "reordered" },
    "an edited head": {
      statements: ["update audit_head set hash = sha256('x')"],
      number: -1,
      problem: "head_edited",
    },
  };

  beforeAll(async () => {
    await stack.adminDb.query(
      "create table kept_entry as table audit_entry; create table kept_head as table audit_head",
    );
  });

  test.each(Object.entries(tampering))("is detected: %s", async (_, { statements, number, problem }) => {
    const unguarded = (...all: string[]) =>
      stack.adminDb.query(["begin", "set local session_replication_role = replica", ...all, "commit"].join(";"));
    await unguarded(...statements);
    try {
      const last = (await stack.adminDb.query("select max(number)::int as last from audit_entry")).rows[0].last;
      expect((await verify()).wrong).toEqual([
        { workspace_id: stack.workspaceId, number: number < 0 ? last : number, problem },
      ]);
    } finally {
      await unguarded(
        ...["delete from audit_entry", `insert into audit_entry (${columns}) select ${columns} from kept_entry`],
        ...["delete from audit_head", "insert into audit_head select * from kept_head"],
      );
    }
    expect((await verify()).wrong).toEqual([]);
  });

  test("is detected with a saved head: a truncated log", async () => {
    const head = (await command("audit", "head")) as string;
    expect(head.trim()).toMatch(/^\d+:[0-9a-f]{64}$/);
    const expected = ["--workspace", stack.workspaceId, "--expect", head.trim()];
    expect((await verify(...expected)).wrong).toEqual([]);
    const [number = 0] = head.split(":").map(Number);
    await stack.adminDb.query(`begin; delete from audit_entry where number = ${number};
      update audit_head set number = ${number - 1}, hash = (select hash from audit_entry where number = ${number - 1}); commit`);
    expect((await verify()).wrong).toEqual([]);
    expect((await verify(...expected)).wrong).toMatchObject([{ number, problem: "truncated" }]);
  });
});
