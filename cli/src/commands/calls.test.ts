import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { makeFolder, runCommand } from "../testing/run-command.ts";
import { type Answer, openStubService, problem } from "../testing/stub-service.ts";

const idOf = (at: number) => `01a1da7d-7ee0-8065-85f4-${String(at).padStart(12, "0")}`;
const makeCall = (at: number) => ({
  id: idOf(at),
  status: "ready",
  campaign_id: "support-fr",
  conversation_timestamp: 1_794_667_020,
  agent: { id: "a", email: "ann@example.com", name: "Ann \x1b[2JLee" },
  conversation_time: "2026-11-14T14:37:00.000Z",
  metadata: [{ key: "client_phone", value: "+33123456789" }],
  recording: {
    format: "wav",
    bytes: 3_200_044,
    sha256: "46fc",
    codec: "pcm_s16le",
    channels: 2,
    sample_rate: 8000,
    duration_ms: 100_000,
  },
  warnings: [],
  created_at: "2026-11-15T12:34:33.605Z",
  agent_channel: { value: "left", from: "campaign" },
});
const cut = (): Answer => ({
  by: (response) => {
    response.writeHead(200, { "content-type": "text/csv" });
    response.write("id,status\r\n", () => response.destroy());
  },
});
let exported: Answer = { body: "id\r\n1\r\n", headers: { "content-type": "text/csv" } };

const service = await openStubService({
  "GET /calls": ({ query }) => {
    const from = Number(query.get("cursor")?.slice(-12) ?? 0);
    const limit = Number(query.get("limit"));
    const to = Math.min(from + limit, 450);
    const calls = Array.from({ length: to - from }, (_, index) => makeCall(from + index));
    return { body: { calls, next: to < 450 ? idOf(to) : null } };
  },
  [`GET /calls/${idOf(1)}`]: () => ({ body: { ...makeCall(1), audio: null, steps: [] } }),
  [`GET /calls/${idOf(1)}/audio`]: ({ query }) => ({
    body: query.get("original") === "true" ? "RIFF" : "playback",
    headers: { "content-type": "audio/wav" },
  }),
  [`GET /calls/${idOf(2)}`]: () => problem(404, "call_not_found", "There is no such call in this workspace."),
  [`GET /calls/${idOf(2)}/audio`]: () => problem(409, "call_not_ready", "The call is still being prepared."),
  [`GET /calls/${idOf(1)}/transcript`]: ({ query }) =>
    query.get("format") === "json"
      ? { body: { id: idOf(9), turns: [] } }
      : { body: "[00:00:00] Ann: Hello \x1b[2Jthere\n", headers: { "content-type": "text/plain" } },
  [`GET /calls/${idOf(2)}/transcript`]: () =>
    problem(404, "transcript_not_found", "The call has no transcript: transcription is off in its campaign."),
  [`POST /calls/${idOf(1)}/transcribe`]: () => ({ status: 202, body: { id: idOf(1), status: "ready" } }),
  "GET /calls/export": () => exported,
});
afterAll(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
});
const { env } = service;
const run = (...args: string[]) => runCommand(["calls", ...args], { env });

test("lists up to the limit and reports that there are more", async () => {
  const ran = await run("list", "--limit", "3");
  expect(ran.stdout.split("\n").slice(0, 2)).toEqual([
    "time (UTC)        agent            campaign    duration  status  id",
    `2026-11-14 14:37  ann@example.com  support-fr      1:40  ready   ${idOf(0)}`,
  ]);
  expect(ran.stdout.trim().split("\n")).toHaveLength(4);
  expect(ran.stderr).toBe("3 calls; more available: use --all or a higher --limit\n");
});

test("lists all pages as JSON lines", async () => {
  const ran = await run("list", "--all", "--json");
  const ids = ran.stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect([ids.length, new Set(ids).size, ran.stderr]).toEqual([450, 450, ""]);
});

test("passes every filter to the service", async () => {
  await run(
    ...["list", "--campaign", "a", "--campaign", "b", "--agent", "ann@example.com"],
    ...["--from", "2026-11-01T00:00:00+01:00", "--to", "1794667020", "--imported-from", "2026-11-02 00:00:00Z"],
    ...[
      "--status",
      "failed",
      "--status=received",
      "--min-duration",
      "90",
      "--max-duration",
      "600.5",
      "--phone",
      "0123456789",
    ],
    ...["--said", '"cancel my contract"', "--said-by", "customer"],
    ...["--metadata", "site=Lyon", "--metadata", "site=Paris", "--metadata", "note=a=b"],
  );
  expect([...(service.requests[0]?.query ?? [])]).toEqual([
    ...[
      ["campaign", "a"],
      ["campaign", "b"],
      ["agent", "ann@example.com"],
    ],
    ...[
      ["from", "2026-10-31T23:00:00.000Z"],
      ["to", "2026-11-14T14:37:00.000Z"],
    ],
    ...[
      ["imported_from", "2026-11-02T00:00:00.000Z"],
      ["status", "failed"],
      ["status", "received"],
    ],
    ...[
      ["min_duration", "90"],
      ["max_duration", "600.5"],
      ["phone", "0123456789"],
    ],
    ...[
      ["said", '"cancel my contract"'],
      ["said_by", "customer"],
    ],
    ...[
      ["metadata[site]", "Lyon"],
      ["metadata[site]", "Paris"],
      ["metadata[note]", "a=b"],
      ["limit", "51"],
    ],
  ]);
});

test.each([
  [["--from", "2026-11-01"], "Include the time zone"],
  [["--from", "2026-11-01T00:00:00"], "Include the time zone"],
  [["--from", "2026-13-01T00:00:00Z"], "Include the time zone"],
  [["--status", "done"], "received, ready, failed"],
  [["--min-duration", "1m"], "number of seconds"],
  [["--metadata", "site"], "key=value"],
  [["--limit", "0"], "1 or more"],
])("rejects %j without sending a request", async (args, expected) => {
  expect(await run("list", ...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(expected) });
  expect(service.requests).toEqual([]);
});

test("shows a call without control characters", async () => {
  const { code, stdout } = await run("show", idOf(1));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^recording +1 min 40 s, 3.2 MB, wav \(pcm_s16le\), 2 channels, 8000 Hz$/m);
  expect(stdout).toMatch(/^client_phone +\+33123456789$/m);
  expect(stdout).not.toContain("\x1b");
});

test("reports a missing call with its request id, and as JSON with --json", async () => {
  const ran = await run("show", idOf(2));
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toBe("hearback: There is no such call in this workspace.\n  Request id: req-1\n");
  expect(JSON.parse((await run("show", idOf(2), "--json")).stderr)).toEqual({
    error: {
      code: "call_not_found",
      message: "There is no such call in this workspace.",
      fix: null,
      request_id: "req-1",
      exit_code: 1,
    },
  });
});

test("downloads a call to a file named after its id, and does not overwrite files", async () => {
  const cwd = await makeFolder();
  const download = (...args: string[]) => runCommand(["calls", "download", idOf(1), ...args], { env, cwd });
  expect(await download()).toMatchObject({ code: 0, stdout: `✓ ${idOf(1)}.m4a (8 B)\n` });
  expect(await download("--original")).toMatchObject({ code: 0 });
  expect((await readdir(cwd)).toSorted()).toEqual([`${idOf(1)}.m4a`, `${idOf(1)}.wav`]);
  expect(await readFile(join(cwd, `${idOf(1)}.wav`), "utf8")).toBe("RIFF");
  expect(await download()).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
  expect(await download("--force")).toMatchObject({ code: 0 });
  expect(await download("-o", "-")).toMatchObject({ code: 0, stdout: "playback" });
});

test("writes no file if the call is not ready", async () => {
  const cwd = await makeFolder();
  const ran = await runCommand(["calls", "download", idOf(2)], { env, cwd });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("still being prepared") });
  expect(await readdir(cwd)).toEqual([]);
});

test("shows a transcript as text, and writes subtitles to a file", async () => {
  const cwd = await makeFolder();
  expect(await run("transcript", idOf(1))).toMatchObject({ code: 0, stdout: "[00:00:00] Ann: Hello �[2Jthere\n" });
  expect(JSON.parse((await run("transcript", idOf(1), "--json")).stdout)).toEqual({ id: idOf(9), turns: [] });
  const written = await runCommand(["calls", "transcript", idOf(1), "--format", "vtt", "-o", "a.vtt"], { env, cwd });
  expect([written.code, await readdir(cwd)]).toEqual([0, ["a.vtt"]]);
  expect(service.requests.map(({ query }) => query.get("format"))).toEqual(["text", "json", "vtt"]);
});

test("a call without a transcript says why, and one can be requested", async () => {
  expect(await run("transcript", idOf(2))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("transcription is off in its campaign"),
  });
  expect(await run("transcribe", idOf(1))).toMatchObject({
    code: 0,
    stdout: `✓ ${idOf(1)} is queued to be transcribed.\n`,
  });
});

test("exports to standard output or to a file", async () => {
  const cwd = await makeFolder();
  expect((await run("export", "--campaign", "a")).stdout).toBe("id\r\n1\r\n");
  expect(service.requests[0]?.query.toString()).toBe("campaign=a&format=csv");
  await run("export", "--transcripts", "--format", "jsonl");
  expect(service.requests[1]?.query.toString()).toBe("format=jsonl&transcripts=true");
  await runCommand(["calls", "export", "-o", "calls.csv"], { env, cwd });
  expect(await readFile(join(cwd, "calls.csv"), "utf8")).toBe("id\r\n1\r\n");
});

test("an interrupted export fails and keeps the old file", async () => {
  exported = cut();
  const cwd = await makeFolder();
  await writeFile(join(cwd, "calls.csv"), "old");
  const ran = await runCommand(["calls", "export", "-o", "calls.csv", "--force"], { env, cwd });
  expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("hearback: No response from") });
  expect([await readdir(cwd), await readFile(join(cwd, "calls.csv"), "utf8")]).toEqual([["calls.csv"], "old"]);
  expect(await run("export")).toMatchObject({ code: 4 });
});
