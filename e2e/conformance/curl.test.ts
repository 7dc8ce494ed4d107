import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { anUnknownKey } from "../support/keys.ts";
import { anEmail, type Call, type Problem, type User } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { target } from "../support/target.ts";

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "hearback-curl-"));
afterAll(() => rm(folder, { recursive: true }));

async function aFile(seconds: number): Promise<string> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.wav`);
  await writeFile(path, aWav({ seconds, sampleRate: 16_000 }));
  return path;
}

/** Runs the real curl and gives the answer, the number of body bytes it sent and its `-v` account. */
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

describe("seed-interface: Endpoints, with curl", () => {
  test("Create an agent: POST {base_url}/users/invite with x-api-key and Content-Type: application/json", async () => {
    const email = anEmail();
    const body = JSON.stringify({ email, name: "Ann Lee", role: "agent", send_invite_email: false });
    const args = ["-H", "Content-Type: application/json", "-d", body];
    const first = await curl<User>("/users/invite", target.apiKey, ...args);
    expect([first.status, first.body.email]).toEqual([201, email]);
    expect((await curl("/users/invite", target.apiKey, ...args)).status).toBe(409);
  });

  test("Import a call: POST {base_url}/calls/audio, multipart/form-data with file, campaign_id, conversation_timestamp, agent_email, metadata", async () => {
    const file = await aFile(1);
    const first = await curl<Call>("/calls/audio", target.apiKey, "-F", `file=@${file}`, ...fields);
    expect([first.status, first.body.duplicate, first.body.metadata]).toEqual([200, false, metadata]);
    const again = await curl<Call>("/calls/audio", target.apiKey, ...fields, "-F", `file=@${file};type=audio/wav`);
    expect([again.status, again.body.duplicate, again.body.id]).toEqual([200, true, first.body.id]);
  });

  test("The metadata part is sent as a JSON text: read from a file with -F metadata=<…, typed application/json", async () => {
    const path = join(folder, "metadata.json");
    await writeFile(path, JSON.stringify(metadata));
    const others = fields.slice(0, -2);
    const parts = ["-F", `file=@${await aFile(1)}`, ...others, "-F", `metadata=<${path};type=application/json`];
    const { status, body } = await curl<Call>("/calls/audio", target.apiKey, ...parts);
    expect([status, body.metadata]).toEqual([200, metadata]);
  });

  test("Import a call without a known length (Transfer-Encoding: chunked)", async () => {
    const parts = ["-H", "Transfer-Encoding: chunked", "-F", `file=@${await aFile(60)}`, ...fields];
    expect((await curl<Call>("/calls/audio", target.apiKey, ...parts)).status).toBe(200);
  });
});

describe("interface: Authentication, with curl", () => {
  test("with Expect: 100-continue the client never sends it: a large file, where curl asks by itself", async () => {
    const parts = ["-F", `file=@${await aFile(120)}`, ...fields];
    const { status, uploaded, account } = await curl<Problem>("/calls/audio", anUnknownKey(), ...parts);
    expect(account).toMatch(/^> Expect: 100-continue/im);
    expect(account).not.toMatch(/^< HTTP\/1\.1 100/m);
    expect([status, uploaded]).toEqual([401, 0]);
  });

  test("with Expect: 100-continue the client never sends it: a small file, asked for by hand", async () => {
    const parts = ["-H", "Expect: 100-continue", "-F", `file=@${await aFile(1)}`, ...fields];
    const { status, uploaded, account } = await curl<Problem>("/calls/audio", anUnknownKey(), ...parts);
    expect(account).not.toMatch(/^< HTTP\/1\.1 100/m);
    expect([status, uploaded]).toEqual([401, 0]);
  });

  test("with Expect: 100-continue and a valid key the body is asked for", async () => {
    const parts = ["-F", `file=@${await aFile(120)}`, ...fields];
    const { status, account } = await curl<Call>("/calls/audio", target.apiKey, ...parts);
    expect(account).toMatch(/^< HTTP\/1\.1 100/m);
    expect(status).toBe(200);
  });

  test("a client that does not ask first still gets the 401", async () => {
    const parts = ["-H", "Expect:", "-F", `file=@${await aFile(300)}`, ...fields];
    const { status, body } = await curl<Problem>("/calls/audio", anUnknownKey(), ...parts);
    expect([status, body.code]).toEqual([401, "unauthenticated"]);
  });
});

describe("interface: Which status, with curl", () => {
  test("Where the fields come before the file and are already wrong, the answer comes: curl sees it, and how to mend it", async () => {
    const parts = [...wrongFields, "-F", `file=@${await aFile(600)}`];
    for (const expectation of ["Expect:", "Expect: 100-continue"]) {
      const { status, body } = await curl<Problem>("/calls/audio", target.apiKey, "-H", expectation, ...parts);
      expect([status, body.code]).toEqual([422, "fields_invalid"]);
      expect(JSON.stringify(body)).toMatch(/\b1714557600\b/);
    }
  });

  test("The same with the file before the fields", async () => {
    const parts = ["-F", `file=@${await aFile(120)}`, ...wrongFields];
    const { status, body } = await curl<Problem>("/calls/audio", target.apiKey, ...parts);
    expect([status, body.code]).toEqual([422, "fields_invalid"]);
  });
});
