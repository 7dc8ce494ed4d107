import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { makeUnknownKey } from "../support/http/keys.ts";
import { type Call, type Problem, type User, uniqueEmail } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { target } from "../support/stack/target.ts";

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "hearback-curl-"));
afterAll(() => rm(folder, { recursive: true }));

async function makeFile(seconds: number): Promise<string> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.wav`);
  await writeFile(path, makeWav({ seconds, sampleRate: 16_000 }));
  return path;
}

/** Runs curl and returns the response, the number of body bytes sent, and its `-v` output. */
async function curl<Body>(path: string, apiKey: string, ...args: string[]) {
  const { stdout, stderr } = await run(
    "curl",
    ["-sS", "-v", "-w", "\n%{http_code} %{size_upload}", "-H", `x-api-key: ${apiKey}`, ...args, target.baseUrl + path],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const [, text = "", status, uploaded] = /^(.*)\n(\d+) (\d+)$/s.exec(stdout) ?? [];
  return { status: Number(status), uploaded: Number(uploaded), body: JSON.parse(text) as Body, account: stderr };
}

const fields = [
  ...["-F", `campaign_id=${target.campaignId}`],
  ...["-F", "conversation_timestamp=1714557600"],
  ...["-F", `agent_email=${target.agentEmail}`],
  ...["-F", 'metadata=[{"key":"client_phone","value":"+33612345678"},{"key":"call_direction","value":"inbound"}]'],
];
const metadata = [
  { key: "client_phone", value: "+33612345678" },
  { key: "call_direction", value: "inbound" },
];
const wrongFields = fields.map((field) => field.replace("1714557600", "1714557600000"));

describe("docs/integrating.md: requests, with curl", () => {
  test("creates an agent: POST /users/invite", async () => {
    const email = uniqueEmail();
    const body = JSON.stringify({ email, name: "Ann Lee", role: "agent", send_invite_email: false });
    const args = ["-H", "Content-Type: application/json", "-d", body];
    const first = await curl<User>("/users/invite", target.apiKey, ...args);
    expect([first.status, first.body.email]).toEqual([201, email]);
    expect((await curl("/users/invite", target.apiKey, ...args)).status).toBe(409);
  });

  test("imports a call: POST /calls/audio", async () => {
    const file = await makeFile(1);
    const first = await curl<Call>("/calls/audio", target.apiKey, "-F", `file=@${file}`, ...fields);
    expect([first.status, first.body.duplicate, first.body.metadata]).toEqual([200, false, metadata]);
    const again = await curl<Call>("/calls/audio", target.apiKey, ...fields, "-F", `file=@${file};type=audio/wav`);
    expect([again.status, again.body.duplicate, again.body.id]).toEqual([200, true, first.body.id]);
  });

  test("accepts metadata from a file (-F metadata=<…) typed application/json", async () => {
    const path = join(folder, "metadata.json");
    await writeFile(path, JSON.stringify(metadata));
    const others = fields.slice(0, -2);
    const parts = ["-F", `file=@${await makeFile(1)}`, ...others, "-F", `metadata=<${path};type=application/json`];
    const { status, body } = await curl<Call>("/calls/audio", target.apiKey, ...parts);
    expect([status, body.metadata]).toEqual([200, metadata]);
  });

  test("imports a call with Transfer-Encoding: chunked", async () => {
    const parts = ["-H", "Transfer-Encoding: chunked", "-F", `file=@${await makeFile(60)}`, ...fields];
    expect((await curl<Call>("/calls/audio", target.apiKey, ...parts)).status).toBe(200);
  });
});

describe("docs/errors.md: unauthenticated, with curl", () => {
  test("with Expect: 100-continue, added by curl for a large file, the body is never sent", async () => {
    const parts = ["-F", `file=@${await makeFile(120)}`, ...fields];
    const { status, uploaded, account } = await curl<Problem>("/calls/audio", makeUnknownKey(), ...parts);
    expect(account).toMatch(/^> Expect: 100-continue/im);
    expect(account).not.toMatch(/^< HTTP\/1\.1 100/m);
    expect([status, uploaded]).toEqual([401, 0]);
  });

  test("with Expect: 100-continue, set explicitly for a small file, the body is never sent", async () => {
    const parts = ["-H", "Expect: 100-continue", "-F", `file=@${await makeFile(1)}`, ...fields];
    const { status, uploaded, account } = await curl<Problem>("/calls/audio", makeUnknownKey(), ...parts);
    expect(account).not.toMatch(/^< HTTP\/1\.1 100/m);
    expect([status, uploaded]).toEqual([401, 0]);
  });

  test("with Expect: 100-continue and a valid key the body is requested", async () => {
    const parts = ["-F", `file=@${await makeFile(120)}`, ...fields];
    const { status, account } = await curl<Call>("/calls/audio", target.apiKey, ...parts);
    expect(account).toMatch(/^< HTTP\/1\.1 100/m);
    expect(status).toBe(200);
  });

  test("a client without Expect gets the 401", async () => {
    const parts = ["-H", "Expect:", "-F", `file=@${await makeFile(300)}`, ...fields];
    const { status, body } = await curl<Problem>("/calls/audio", makeUnknownKey(), ...parts);
    expect([status, body.code]).toEqual([401, "unauthenticated"]);
  });
});

describe("docs/errors.md: early errors, with curl", () => {
  test("invalid fields before the file: curl shows the error and the fix", async () => {
    const parts = [...wrongFields, "-F", `file=@${await makeFile(600)}`];
    for (const expectation of ["Expect:", "Expect: 100-continue"]) {
      const { status, body } = await curl<Problem>("/calls/audio", target.apiKey, "-H", expectation, ...parts);
      expect([status, body.code]).toEqual([422, "fields_invalid"]);
      expect(JSON.stringify(body)).toMatch(/\b1714557600\b/);
    }
  });

  test("invalid fields after the file: curl shows the error and the fix", async () => {
    const parts = ["-F", `file=@${await makeFile(120)}`, ...wrongFields];
    const { status, body } = await curl<Problem>("/calls/audio", target.apiKey, ...parts);
    expect([status, body.code]).toEqual([422, "fields_invalid"]);
  });
});
