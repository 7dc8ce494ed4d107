import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@hearback/sdk";
import { expect, onTestFinished, test } from "vitest";
import type { Finding } from "../manifest/finding.ts";
import { type ManifestOptions, openManifest } from "../manifest/open-manifest.ts";
import { aFolder } from "../manifest/testing/manifest-folder.ts";
import { aWav } from "../testing/a-wav.ts";
import { type Survey, type SurveyOptions, survey } from "./survey.ts";
import { surveyJson } from "./survey-json.ts";
import { surveyWords } from "./survey-words.ts";

interface Service {
  readonly agents?: readonly string[];
  readonly campaigns?: readonly string[];
  readonly callsLeft?: number;
  readonly recordingBytes?: number;
}

interface Asked {
  readonly fingerprints: readonly { readonly agent_email: string; readonly campaign_id: string }[];
}

/** Answers the two questions of a survey, as the service does. */
async function aService({
  agents = ["ann@example.com"],
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
  readonly options?: Partial<SurveyOptions>;
  readonly manifest?: Partial<ManifestOptions>;
  readonly files?: readonly string[];
  /** Further recordings, with what is in them. */
  readonly sized?: Readonly<Record<string, Buffer>>;
}

async function surveyOf(
  rows: readonly string[],
  { service = {}, options, manifest, files = ["a.wav", "b.wav"], sized = {} }: Setting = {},
) {
  const folder = await aFolder({
    "calls.csv": [header, ...rows, ""].join("\n"),
    ...Object.fromEntries(files.map((file) => [`recordings/${file}`, aWav()])),
    ...Object.fromEntries(Object.entries(sized).map(([file, content]) => [`recordings/${file}`, content])),
  });
  const { client, sizes } = await aService(service);
  const opened = await openManifest({
    manifest: join(folder, "calls.csv"),
    recordings: join(folder, "recordings"),
    ...manifest,
  });
  onTestFinished(() => opened.close());
  const told: Finding[] = [];
  const result = await survey(opened, {
    client,
    createAgents: false,
    onFinding: (finding) => told.push(finding),
    ...options,
  });
  const taken: number[] = [];
  for await (const item of opened.entries()) if (!("code" in item) && result.isImportable(item)) taken.push(item.line);
  return { result, told, taken, sizes, opened, codes: result.findings.map(({ code, count }) => [code, count]) };
}

const row = (file: string, email = "ann@example.com", name = "Ann Lee", time = 1714557600, campaign = "support-fr") =>
  `${file},${email},${name},${time},${campaign},ANSWERED`;

test("counts what there is to import", async () => {
  const { result, taken, codes } = await surveyOf([row("a.wav"), row("b.wav", "Ann@Example.com", "", 1714557700)]);
  expect(result).toMatchObject({
    rows: 2,
    importable: 2,
    skipped: 0,
    importableBytes: 2 * aWav().length,
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

test("names the same call twice, and takes it once; warns of one recording for two calls", async () => {
  const rows = [
    row("a.wav"),
    row("./a.wav"),
    row("a.wav", "ann@example.com", "", 1714557700),
    row("a.wav", "ann@example.com", "", 1714557700),
  ];
  const { told, taken, result } = await surveyOf(rows, { files: ["a.wav"] });
  expect(told.map(({ code, line, level }) => [code, line, level])).toEqual([
    ["duplicate_row", 3, "error"],
    ["file_named_twice", 4, "warning"],
    ["duplicate_row", 5, "error"],
  ]);
  expect(told.map(({ detail }) => /line \d+/.exec(detail)?.[0])).toEqual(["line 2", "line 2", "line 4"]);
  expect(taken).toEqual([2, 4]);
  expect(result.importable).toBe(2);
});

test("takes every call of a folder into which files come and from which they go meanwhile", async () => {
  const name = (minute: number) => `ann@example.com_2024050110${String(minute).padStart(2, "0")}00.wav`;
  const minutes = Array.from({ length: 20 }, (_, at) => at);
  const folder = await aFolder(Object.fromEntries(minutes.map((minute) => [name(minute), aWav()])));
  const pattern = "{agent_email}_{time:yyyyMMddHHmmss}.wav";
  const opened = await openManifest({ recordings: folder, pattern, campaign: "support-fr", timeZone: "UTC" });
  onTestFinished(() => opened.close());
  const { isImportable } = await survey(opened, { client: (await aService({})).client, createAgents: false });

  for (const minute of [30, 31, 32]) await writeFile(join(folder, name(minute)), aWav());
  for (const minute of [0, 7, 19]) await rm(join(folder, name(minute)));
  const taken: string[] = [];
  const wrong: string[] = [];
  for await (const item of opened.entries()) {
    if ("code" in item) wrong.push(`${item.code} ${item.file}`);
    else if (isImportable(item)) taken.push(item.file);
  }
  expect(taken.toSorted()).toEqual(minutes.filter((minute) => ![0, 7, 19].includes(minute)).map(name));
  expect(wrong.toSorted()).toEqual([0, 7, 19].map((minute) => `file_missing ${name(minute)}`));
});

test("finds files without a row, and does not take those of wrong or skipped rows for such", async () => {
  const rows = [
    row("a.wav"),
    row("b.wav").replace("1714557600", "yesterday"),
    row("sub/c.wav").replace("ANSWERED", "BUSY"),
  ];
  const { result } = await surveyOf(rows, {
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

test("leaves out the calls of agents who do not exist, with one finding for each agent", async () => {
  const rows = [row("a.wav", "bob@example.com"), row("b.wav"), row("b.wav", "BOB@example.com", "", 1714557700)];
  const { result, told, taken } = await surveyOf(rows);
  expect(told.at(-1)).toMatchObject({ code: "agent_unknown", level: "error", line: 2 });
  expect(told.at(-1)?.detail).toContain("2 rows");
  expect([...result.unknownAgents]).toEqual(["bob@example.com"]);
  expect(result.importable).toBe(1);
  expect(taken).toEqual([3]);
});

test("counts every row once, as importable, left out by the mapping, or wrong", async () => {
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
  const { result, told, taken, opened } = await surveyOf(rows, {
    files: ["a.wav", "b.wav"],
    sized: { "large.wav": aWav(9000) },
    service: { recordingBytes: 5000 },
    manifest: { mapping: { only: { disposition: ["ANSWERED"] } } },
  });
  const wrong = told.filter(({ level, cells }) => level === "error" && cells).map(({ line }) => line);
  // No finding has the rows of an agent who does not exist, but those that are wrong otherwise.
  const agentless: number[] = [];
  for await (const item of opened.entries())
    if (!("code" in item) && result.unknownAgents.has(item.agentEmail.toLowerCase()) && !wrong.includes(item.line))
      agentless.push(item.line);
  expect({ taken, wrong, agentless }).toEqual({ taken: [2], wrong: [3, 5, 7, 8], agentless: [4, 6] });
  expect(result).toMatchObject({ rows: 8, importable: 1, skipped: 1 });
  expect(result.importable + result.skipped + wrong.length + agentless.length).toBe(result.rows);
  expect(told.find(({ code }) => code === "agent_unknown")?.detail).toContain("2 rows, the first in line 4");
});

test("creates agents who have a name, and names those who have none", async () => {
  const rows = [
    row("a.wav", "bob@example.com", ""),
    row("b.wav", "Bob@example.com", "Bob"),
    row("b.wav", "eve@example.com", "", 1714557700),
  ];
  const { result, told, taken } = await surveyOf(rows, { options: { createAgents: true } });
  expect(result.newAgents).toEqual([{ email: "bob@example.com", name: "Bob" }]);
  expect(told.at(-1)).toMatchObject({ code: "agent_name_missing", line: 4 });
  expect(taken).toEqual([2, 3]);
});

test("warns of two names for one address, and takes the first", async () => {
  const rows = [row("a.wav", "bob@example.com", "Bob"), row("b.wav", "bob@example.com", "Robert")];
  const { result, codes } = await surveyOf(rows, { options: { createAgents: true } });
  expect(codes).toEqual([["agent_name_differs", 1]]);
  expect(result.newAgents).toEqual([{ email: "bob@example.com", name: "Bob" }]);
});

test("an unknown campaign stops everything, and hides no unknown agent", async () => {
  const rows = [row("a.wav", "bob@example.com", "", 1714557600, "nowhere"), row("b.wav")];
  const { result, told } = await surveyOf(rows);
  expect(result.blocked).toBe(true);
  expect(told.find(({ code }) => code === "campaign_unknown")).toMatchObject({ level: "error", line: undefined });
  expect(told.some(({ code }) => code === "agent_unknown")).toBe(true);
});

test("asks for thousands of agents, a thousand at a time", async () => {
  const rows = Array.from({ length: 2500 }, (_, at) => row("a.wav", `agent${at}@example.com`, "", 1714557600 + at));
  const { sizes, result } = await surveyOf(rows);
  expect(sizes).toEqual([1, 1000, 1000, 500]);
  expect(result.unknownAgents.size).toBe(2500);
  expect(result.findings.find(({ code }) => code === "agent_unknown")).toMatchObject({ count: 2500 });
  expect(result.findings.find(({ code }) => code === "agent_unknown")?.first).toHaveLength(20);
});

test("says what the service does not allow", async () => {
  const rows = [row("a.wav"), row("b.wav")];
  expect((await surveyOf(rows, { service: { callsLeft: 1 } })).codes).toEqual([["quota_calls", 1]]);
  const small = await surveyOf(rows, { service: { recordingBytes: 100 } });
  expect(small.codes).toEqual([["file_too_large", 2]]);
  expect(small.taken).toEqual([]);
});

test("can be stopped", async () => {
  await expect(
    surveyOf([row("a.wav")], { options: { signal: AbortSignal.abort(new Error("stopped")) } }),
  ).rejects.toThrow("stopped");
});

test("tells it to a person: what there is first, then what is wrong, ten of each", async () => {
  const rows = [row("a.wav"), ...Array.from({ length: 30 }, (_, at) => row(`gone-${at}.wav`))];
  const { result } = await surveyOf(rows);
  const lines = surveyWords(result, { findingsFile: "calls.findings.csv" });
  expect(lines[0]).toMatch(/^Rows +31$/);
  expect(lines[1]).toMatch(/^To import +1 call, 1\.6 kB$/);
  expect(lines).toContain("file_missing (30)");
  expect(lines.filter((line) => /^ {2}line \d+: There is no file/.test(line))).toHaveLength(10);
  expect(lines.filter((line) => line.includes("→"))).toHaveLength(2);
  expect(lines).toContain("  … and 20 more, all in calls.findings.csv");
  expect(lines.at(-1)).toBe("1 call can be imported; 30 rows cannot.");
  expect(lines.join("\n")).not.toContain("\x1b");
});

test("shows no sign that commands a terminal, whatever a file or a campaign is called", async () => {
  const { result } = await surveyOf([row("a.wav")], { files: ["a.wav", "b\x1b[2J.wav"] });
  const campaigns = [{ id: "sup\x1b[2J\x9b2J\u202eport\u2028", rows: 1, known: true }];
  const words = surveyWords({ ...result, campaigns }, { findingsFile: "a\x1b[2J.csv" }).join("");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(words).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u202e]/);
  expect(words).toContain("port");
});

test("says that all are in the file of errors alone: rows with a warning are not in it", async () => {
  const gone = Array.from({ length: 30 }, (_, at) => row(`gone-${at}.wav`));
  const renamed = Array.from({ length: 30 }, (_, at) => row("a.wav", "ann@example.com", `Ann ${at}`, 1714557600 + at));
  const { result } = await surveyOf([...gone, ...renamed]);
  const moreOf = (survey: Survey) =>
    surveyWords(survey, { findingsFile: "failures.csv" }).filter((line) => line.includes("… and"));
  expect(moreOf(result)).toEqual(["  … and 20 more, all in failures.csv", "  … and 19 more", "  … and 19 more"]);
  const nowhere = Array.from({ length: 12 }, (_, at) => row("a.wav", "ann@example.com", "Ann", 1714557600, `c${at}`));
  const unknown = (await surveyOf(nowhere)).result;
  expect(moreOf(unknown)).toContain("  … and 2 more");
});

test("tells it to a program", async () => {
  const { result } = await surveyOf([row("a.wav"), row("gone.wav")]);
  expect(JSON.parse(JSON.stringify(surveyJson(result)))).toMatchObject({
    rows: 2,
    importable: 1,
    first_time: "2024-05-01T10:00:00.000Z",
    findings: [
      { code: "file_missing", level: "error", count: 1, first: [{ line: 3 }] },
      { code: "file_without_row", level: "warning", count: 1 },
    ],
  });
});
