import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@hearback/sdk";
import { expect, onTestFinished, test } from "vitest";
import { isInvalid } from "../manifest/entry.ts";
import type { Finding } from "../manifest/finding.ts";
import { type ManifestOptions, openManifest } from "../manifest/open-manifest.ts";
import { makeFolder } from "../manifest/testing/manifest-folder.ts";
import { makeWav } from "../testing/make-wav.ts";
import { type Preflight, type PreflightOptions, preflight } from "./preflight.ts";
import { preflightJson } from "./preflight-json.ts";
import { preflightText } from "./preflight-text.ts";

interface Service {
  readonly agents?: readonly string[];
  /** Users who are not agents. */
  readonly reviewers?: readonly string[];
  readonly campaigns?: readonly string[];
  readonly callsLeft?: number;
  readonly recordingBytes?: number;
}

interface Asked {
  readonly fingerprints: readonly { readonly agent_email: string; readonly campaign_id: string }[];
}

/** Stub of the two endpoints that a preflight uses. */
async function startService({
  agents = ["ann@example.com"],
  reviewers = [],
  campaigns = ["support-fr"],
  callsLeft,
  recordingBytes = 1e6,
}: Service) {
  const rate = { limit: null, remaining: null };
  const limits = {
    key: { requests_per_second: rate, uploads_at_once: { limit: 16, used: 0 } },
    workspace: {
      requests_per_second: rate,
      imports_per_second: rate,
      uploads_at_once: { limit: 32, used: 0 },
      calls_per_day: {
        limit: callsLeft === undefined ? null : callsLeft + 10,
        used: 10,
        resets_at: "2026-01-02T00:00:00.000Z",
      },
      stored_bytes: { limit: null, used: null },
    },
    interface: { recording_bytes: recordingBytes },
  };
  const sizes: number[] = [];
  const found = ({ fingerprints }: Asked) =>
    fingerprints.map(({ agent_email, campaign_id }) => {
      if (!campaigns.includes(campaign_id)) return { status: "missing", id: null, reason: "campaign_not_found" };
      if (reviewers.includes(agent_email)) return { status: "missing", id: null, reason: "user_not_agent" };
      return { status: "missing", id: null, reason: agents.includes(agent_email) ? "not_imported" : "agent_not_found" };
    });
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const asked = request.url === "/limits" ? undefined : (JSON.parse(body) as Asked);
    if (asked) sizes.push(asked.fingerprints.length);
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(asked ? { calls: found(asked) } : limits));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { client: createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" }), sizes };
}

const header = "file,agent_email,agent_name,time,campaign,disposition";

interface Setting {
  readonly service?: Service;
  readonly options?: Partial<PreflightOptions>;
  readonly manifest?: Partial<ManifestOptions>;
  readonly files?: readonly string[];
  /** More recordings, with their content. */
  readonly sized?: Readonly<Record<string, Buffer>>;
}

async function runPreflight(
  rows: readonly string[],
  { service = {}, options, manifest, files = ["a.wav", "b.wav"], sized = {} }: Setting = {},
) {
  const folder = await makeFolder({
    "calls.csv": [header, ...rows, ""].join("\n"),
    ...Object.fromEntries(files.map((file) => [`recordings/${file}`, makeWav()])),
    ...Object.fromEntries(Object.entries(sized).map(([file, content]) => [`recordings/${file}`, content])),
  });
  const { client, sizes } = await startService(service);
  const opened = await openManifest({
    manifest: join(folder, "calls.csv"),
    recordings: join(folder, "recordings"),
    ...manifest,
  });
  onTestFinished(() => opened.close());
  const reported: Finding[] = [];
  const result = await preflight(opened, {
    client,
    createAgents: false,
    onFinding: (finding) => reported.push(finding),
    ...options,
  });
  const taken: number[] = [];
  for await (const row of opened.entries()) if (!isInvalid(row) && result.isImportable(row)) taken.push(row.line);
  const invalid: Record<number, string[]> = {};
  for await (const { row, errors } of result.invalidRows()) invalid[row.line] = errors.map(({ code }) => code);
  return { result, reported, taken, invalid, sizes, codes: result.findings.map(({ code, count }) => [code, count]) };
}

const row = (file: string, email = "ann@example.com", name = "Ann Lee", time = 1714557600, campaign = "support-fr") =>
  `${file},${email},${name},${time},${campaign},ANSWERED`;

test("counts the importable calls", async () => {
  const { result, taken, codes } = await runPreflight([row("a.wav"), row("b.wav", "Ann@Example.com", "", 1714557700)]);
  expect(result).toMatchObject({
    rows: 2,
    importable: 2,
    skipped: 0,
    importableBytes: 2 * makeWav().length,
    firstTime: 1714557600,
    lastTime: 1714557700,
    agents: 1,
    newAgents: [],
    campaigns: [{ id: "support-fr", rows: 2, known: true }],
    filesWithoutRow: { count: 0, first: [] },
    blocked: false,
  });
  expect(taken).toEqual([2, 3]);
  expect(codes).toEqual([]);
});

test("reports duplicate rows and imports the call once; warns about one recording for two calls", async () => {
  const rows = [
    row("a.wav"),
    row("./a.wav"),
    row("a.wav", "ann@example.com", "", 1714557700),
    row("a.wav", "ann@example.com", "", 1714557700),
  ];
  const { reported, taken, result } = await runPreflight(rows, { files: ["a.wav"] });
  expect(reported.map(({ code, line, level }) => [code, line, level])).toEqual([
    ["duplicate_row", 3, "error"],
    ["file_named_twice", 4, "warning"],
    ["duplicate_row", 5, "error"],
  ]);
  expect(reported.map(({ detail }) => /line \d+/.exec(detail)?.[0])).toEqual(["line 2", "line 2", "line 4"]);
  expect(taken).toEqual([2, 4]);
  expect(result.importable).toBe(2);
});

test("imports the listed files although others are added and removed during the run", async () => {
  const name = (minute: number) => `ann@example.com_2024050110${String(minute).padStart(2, "0")}00.wav`;
  const minutes = Array.from({ length: 20 }, (_, at) => at);
  const folder = await makeFolder(Object.fromEntries(minutes.map((minute) => [name(minute), makeWav()])));
  const pattern = "{agent_email}_{time:yyyyMMddHHmmss}.wav";
  const opened = await openManifest({ recordings: folder, pattern, campaign: "support-fr", timeZone: "UTC" });
  onTestFinished(() => opened.close());
  const { isImportable } = await preflight(opened, { client: (await startService({})).client, createAgents: false });

  for (const minute of [30, 31, 32]) await writeFile(join(folder, name(minute)), makeWav());
  for (const minute of [0, 7, 19]) await rm(join(folder, name(minute)));
  const taken: string[] = [];
  const wrong: string[] = [];
  for await (const row of opened.entries()) {
    if (isInvalid(row)) wrong.push(`${row.findings.map(({ code }) => code)} ${row.file}`);
    else if (isImportable(row)) taken.push(row.file);
  }
  expect(taken.toSorted()).toEqual(minutes.filter((minute) => ![0, 7, 19].includes(minute)).map(name));
  expect(wrong.toSorted()).toEqual([0, 7, 19].map((minute) => `file_missing ${name(minute)}`));
});

test("finds files without a row, excluding files of invalid or skipped rows", async () => {
  const rows = [
    row("a.wav"),
    row("b.wav").replace("1714557600", "yesterday"),
    row("sub/c.wav").replace("ANSWERED", "BUSY"),
  ];
  const { result } = await runPreflight(rows, {
    files: ["a.wav", "b.wav", "sub/c.wav", "sub/d.wav", ".hidden.wav", "x.hearback/e.wav"],
    manifest: { mapping: { only: { disposition: ["ANSWERED"] } } },
  });
  expect(result).toMatchObject({
    rows: 3,
    importable: 1,
    skipped: 1,
    filesWithoutRow: { count: 1, first: ["sub/d.wav"] },
  });
});

test("excludes calls of unknown agents, with one finding per agent", async () => {
  const rows = [row("a.wav", "bob@example.com"), row("b.wav"), row("b.wav", "BOB@example.com", "", 1714557700)];
  const { result, reported, taken, invalid } = await runPreflight(rows);
  expect(reported.at(-1)).toMatchObject({ code: "agent_unknown", level: "error", line: 2 });
  expect(reported.at(-1)?.detail).toContain("2 rows");
  expect(invalid).toEqual({ 2: ["agent_unknown"], 4: ["agent_unknown"] });
  expect(result.importable).toBe(1);
  expect(taken).toEqual([3]);
});

test("counts every row once: importable, skipped by the mapping, or invalid", async () => {
  const rows = [
    row("a.wav"),
    row("a.wav"),
    row("b.wav", "bob@example.com"),
    row("b.wav", "BOB@example.com"),
    row("b.wav", "bob@example.com", "", 1714557700),
    row("large.wav", "bob@example.com"),
    row("gone.wav", "bob@example.com").replace("1714557600", "yesterday"),
    row("gone.wav").replace("ANSWERED", "BUSY"),
  ];
  const { result, reported, taken, invalid } = await runPreflight(rows, {
    files: ["a.wav", "b.wav"],
    sized: { "large.wav": makeWav(9000) },
    service: { recordingBytes: 5000 },
    manifest: { mapping: { only: { disposition: ["ANSWERED"] } } },
  });
  expect(taken).toEqual([2]);
  expect(invalid).toEqual({
    3: ["duplicate_row"],
    4: ["agent_unknown"],
    5: ["duplicate_row", "agent_unknown"],
    6: ["agent_unknown"],
    7: ["file_too_large", "agent_unknown"],
    8: ["time_format_missing", "file_missing", "agent_unknown"],
  });
  expect(result).toMatchObject({ rows: 8, importable: 1, skipped: 1 });
  expect(result.importable + result.skipped + Object.keys(invalid).length).toBe(result.rows);
  expect(reported.find(({ code }) => code === "agent_unknown")?.detail).toContain("5 rows, first on line 4");
});

test.each([true, false])("finds users who are not agents, with agents created: %s", async (createAgents) => {
  const rows = [row("a.wav", "rita@example.com", "Rita"), row("b.wav")];
  const service = { reviewers: ["rita@example.com"] };
  const { result, reported, invalid } = await runPreflight(rows, { service, options: { createAgents } });
  expect(invalid).toEqual({ 2: ["agent_other_role"] });
  expect(reported.at(-1)).toMatchObject({
    detail: "rita@example.com is a user of this workspace, but not an agent (1 row, first on line 2).",
    fix: expect.stringMatching(/another email address.*change the user's role/),
  });
  expect(result).toMatchObject({ importable: 1, newAgents: [] });
});

test("checks the agent and campaign of invalid rows; they do not block the import", async () => {
  const rows = [row("a.wav"), row("gone.wav", "bob@example.com", "Bob", 1714557600, "nowhere")];
  const { result, invalid } = await runPreflight(rows);
  expect(invalid).toEqual({ 3: ["file_missing", "agent_unknown", "campaign_unknown"] });
  expect(result).toMatchObject({ importable: 1, agents: 1, blocked: false, newAgents: [] });
  expect(result.campaigns).toEqual([{ id: "support-fr", rows: 1, known: true }]);
  expect(result.findings.map(({ code, first }) => [code, first[0]?.line])).toContainEqual(["campaign_unknown", 3]);
});

test("an invalid row is compared with earlier calls, but does not make later rows duplicates", async () => {
  const long = "x".repeat(1025);
  const rows = [row("a.wav").replace("ANSWERED", long), row("a.wav"), row("a.wav").replace("ANSWERED", long)];
  const { invalid, taken } = await runPreflight(rows, { files: ["a.wav"] });
  expect(taken).toEqual([3]);
  expect(invalid).toEqual({ 2: ["metadata_value_too_long"], 4: ["metadata_value_too_long", "duplicate_row"] });
});

test("a row that became valid after the check is still listed", async () => {
  const folder = await makeFolder({ "calls.csv": `${header}\n${row("a.wav")}\n`, "recordings/b.wav": makeWav() });
  const opened = await openManifest({ manifest: join(folder, "calls.csv"), recordings: join(folder, "recordings") });
  onTestFinished(() => opened.close());
  const result = await preflight(opened, { client: (await startService({})).client, createAgents: false });
  await writeFile(join(folder, "recordings/a.wav"), makeWav());
  const codes: string[] = [];
  for await (const { errors } of result.invalidRows()) codes.push(...errors.map(({ code }) => code));
  expect(codes).toEqual(["file_changed"]);
});

test("counts one file in the singular", async () => {
  const { reported } = await runPreflight([row("a.wav")]);
  expect(reported.map(({ detail }) => detail)).toEqual(['1 file in the recordings folder has no row: "b.wav".']);
});

test("lists agents to create, and reports those without a name", async () => {
  const rows = [
    row("a.wav", "bob@example.com", ""),
    row("b.wav", "Bob@example.com", "Bob"),
    row("b.wav", "eve@example.com", "", 1714557700),
  ];
  const { result, reported, taken } = await runPreflight(rows, { options: { createAgents: true } });
  expect(result.newAgents).toEqual([{ email: "bob@example.com", name: "Bob" }]);
  expect(reported.at(-1)).toMatchObject({ code: "agent_name_missing", line: 4 });
  expect(taken).toEqual([2, 3]);
});

test("warns about two names for one address and uses the first", async () => {
  const rows = [row("a.wav", "bob@example.com", "Bob"), row("b.wav", "bob@example.com", "Robert")];
  const { result, codes } = await runPreflight(rows, { options: { createAgents: true } });
  expect(codes).toEqual([["agent_name_differs", 1]]);
  expect(result.newAgents).toEqual([{ email: "bob@example.com", name: "Bob" }]);
});

test("an unknown campaign blocks the import and does not hide unknown agents", async () => {
  const rows = [row("a.wav", "bob@example.com", "", 1714557600, "nowhere"), row("b.wav")];
  const { result, reported } = await runPreflight(rows);
  expect(result.blocked).toBe(true);
  expect(reported.find(({ code }) => code === "campaign_unknown")).toMatchObject({ level: "error", line: undefined });
  expect(reported.some(({ code }) => code === "agent_unknown")).toBe(true);
});

test("looks up agents in batches of 1,000", async () => {
  const rows = Array.from({ length: 2500 }, (_, at) => row("a.wav", `agent${at}@example.com`, "", 1714557600 + at));
  const { sizes, result, invalid } = await runPreflight(rows);
  expect(sizes).toEqual([1, 1000, 1000, 500]);
  expect(Object.keys(invalid)).toHaveLength(2500);
  expect(result.findings.find(({ code }) => code === "agent_unknown")).toMatchObject({ count: 2500 });
  expect(result.findings.find(({ code }) => code === "agent_unknown")?.first).toHaveLength(20);
});

test("reports exceeded limits", async () => {
  const rows = [row("a.wav"), row("b.wav")];
  expect((await runPreflight(rows, { service: { callsLeft: 1 } })).codes).toEqual([["quota_calls", 1]]);
  const small = await runPreflight(rows, { service: { recordingBytes: 100 } });
  expect(small.codes).toEqual([["file_too_large", 2]]);
  expect(small.taken).toEqual([]);
});

test("can be stopped", async () => {
  await expect(
    runPreflight([row("a.wav")], { options: { signal: AbortSignal.abort(new Error("stopped")) } }),
  ).rejects.toThrow("stopped");
});

test("formats a summary, then up to ten findings per code", async () => {
  const rows = [row("a.wav"), ...Array.from({ length: 30 }, (_, at) => row(`gone-${at}.wav`))];
  const { result } = await runPreflight(rows);
  const lines = preflightText(result, { findingsFile: "calls.findings.csv" });
  expect(lines[0]).toMatch(/^Rows +31$/);
  expect(lines[1]).toMatch(/^To import +1 call, 1\.6 kB$/);
  expect(lines).toContain("file_missing (30)");
  expect(lines.filter((line) => /^ {2}line \d+: No such file/.test(line))).toHaveLength(10);
  expect(lines.filter((line) => line.includes("→"))).toHaveLength(2);
  expect(lines).toContain("  … and 20 more, all in calls.findings.csv");
  expect(lines.at(-1)).toBe("1 call can be imported; 30 rows cannot.");
  expect(lines.join("\n")).not.toContain("\x1b");
});

test("prints no control characters from file or campaign names", async () => {
  const { result } = await runPreflight([row("a.wav")], { files: ["a.wav", "b\x1b[2J.wav"] });
  const campaigns = [{ id: "sup\x1b[2J\x9b2J\u202eport\u2028", rows: 1, known: true }];
  const text = preflightText({ ...result, campaigns }, { findingsFile: "a\x1b[2J.csv" }).join("");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
  expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u202e]/);
  expect(text).toContain("port");
});

test("refers to the failures file for errors only", async () => {
  const gone = Array.from({ length: 30 }, (_, at) => row(`gone-${at}.wav`));
  const renamed = Array.from({ length: 30 }, (_, at) => row("a.wav", "ann@example.com", `Ann ${at}`, 1714557600 + at));
  const { result } = await runPreflight([...gone, ...renamed]);
  const moreOf = (preflightResult: Preflight) =>
    preflightText(preflightResult, { findingsFile: "failures.csv" }).filter((line) => line.includes("… and"));
  expect(moreOf(result)).toEqual(["  … and 20 more, all in failures.csv", "  … and 19 more", "  … and 19 more"]);
  const nowhere = Array.from({ length: 12 }, (_, at) => row("a.wav", "ann@example.com", "Ann", 1714557600, `c${at}`));
  const unknown = (await runPreflight(nowhere)).result;
  expect(moreOf(unknown)).toContain("  … and 2 more");
});

test("formats JSON", async () => {
  const { result } = await runPreflight([row("a.wav"), row("gone.wav")]);
  expect(JSON.parse(JSON.stringify(preflightJson(result)))).toMatchObject({
    rows: 2,
    importable: 1,
    first_time: "2024-05-01T10:00:00.000Z",
    findings: [
      { code: "file_missing", level: "error", count: 1, first: [{ line: 3 }] },
      { code: "file_without_row", level: "warning", count: 1 },
    ],
  });
});
