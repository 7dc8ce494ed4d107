import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KB, makeRecording, wavHeader } from "../support/recordings/recordings.ts";
import { runCommand } from "../support/stack/command.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";

const maxBytes = 200 * KB;
const spare = Array.from({ length: 105 }, (_, at) => `extra${at}`);
const columns = ["file", "agent_email", "agent_name", "time", "campaign", "site"];
const goodTime = "2026-06-01 10:00:00";
/** Paris is UTC+2 in June. */
const goodSeconds = Date.UTC(2026, 5, 1, 8) / 1000;
const tomorrowAfterNext = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 19).replace("T", " ");

interface Cells {
  file?: string;
  agent?: string;
  name?: string;
  time?: string;
  campaign?: string;
  site?: string;
  extra?: readonly string[];
}

const rowOf = (cells: Cells, campaign: string): string => {
  const { extra = [], ...own } = cells;
  const named = { file: "own.wav", agent: "ann@example.com", name: "Ann Lee", time: goodTime, site: "Lyon", ...own };
  return [
    ...[named.file, named.agent, named.name, named.time, cells.campaign ?? campaign, named.site],
    ...spare.map((_, at) => extra[at] ?? ""),
  ].join(",");
};

/** Each defect's code and its row: cells that differ from a valid row, or a raw line. */
const defects: readonly (readonly [code: string, row: Cells | string | Buffer])[] = [
  ["row_too_few_cells", "own.wav,ann@example.com,Ann Lee"],
  ["row_too_many_cells", `${rowOf({}, "support-fr")},and,more`],
  ["row_too_long", { site: "L".repeat(2_000_000) }],
  ["quote_misplaced", { site: '"the "best" site"' }],
  [
    "text_broken",
    Buffer.concat([
      Buffer.from("own.wav,ann@example.com,Ann "),
      Buffer.from([0xe9]),
      Buffer.from(rowOf({}, "support-fr").slice(31)),
    ]),
  ],
  ["control_characters", { site: "Ly\x1b[2Jon" }],
  ["duplicate_row", { file: "good-0.wav" }],
  ["file_name_missing", { file: " " }],
  ["file_missing", { file: "gone.wav" }],
  ["file_name_differs", { file: "GOOD-0.wav" }],
  ["file_absolute", { file: "/var/spool/a.wav" }],
  ["file_outside", { file: "../calls.csv" }],
  ["file_is_url", { file: "https://example.com/a.wav" }],
  ["file_is_folder", { file: "folder" }],
  ["file_special", { file: "pipe.wav" }],
  ["file_unreadable", { file: "itself.wav" }],
  ["file_empty", { file: "empty.wav" }],
  ["file_without_audio", { file: "silent.wav" }],
  ["file_too_large", { file: "large.wav" }],
  ["file_not_audio", { file: "text.wav" }],
  ["file_truncated", { file: "short.wav" }],
  ["agent_missing", { agent: "" }],
  ["agent_not_email", { agent: "Ann Lee" }],
  ["agent_name_missing", { file: "nameless.wav", agent: "nameless@example.com", name: "" }],
  ["agent_name_too_long", { name: "A".repeat(201) }],
  ["time_missing", { time: "" }],
  ["time_format_mismatch", { time: "01/06/2026 10:00:00" }],
  ["time_impossible", { time: "2026-02-31 10:00:00" }],
  ["time_in_gap", { time: "2026-03-29 02:30:00" }],
  ["time_ambiguous", { time: "2025-10-26 02:30:00" }],
  ["time_in_future", { time: tomorrowAfterNext }],
  ["time_too_early", { time: "1999-12-31 10:00:00" }],
  ["time_in_milliseconds", { time: "1780300800000" }],
  ["time_excel_serial", { time: "46174.4167" }],
  ["campaign_missing", { campaign: "" }],
  ["campaign_too_long", { campaign: "c".repeat(101) }],
  ["metadata_value_too_long", { site: "L".repeat(1025) }],
  ["metadata_too_many", { extra: spare }],
  ["metadata_too_large", { extra: Array.from({ length: 80 }, () => "é".repeat(1000)) }],
  // Warnings: these two are imported.
  ["file_named_twice", { file: "good-0.wav", time: "2026-06-01 12:00:00" }],
  ["agent_name_differs", { file: "good-1.wav", name: "Anna Lee" }],
  // Last, because the quote is never closed.
  ["quote_unclosed", { file: "good-1.wav", site: '"Lyon' }],
];
const warnings = ["file_named_twice", "agent_name_differs", "file_without_row"];
const goodRows: readonly Cells[] = [
  { file: "good-0.wav" },
  { file: "new.wav", agent: "bob@example.com", name: "Bob Roy" },
];

let dir: string;
let stack: Stack;
let api: ApiProcess;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hearback-defects-"));
  stack = await openStack(undefined, { MAX_RECORDING_BYTES: String(maxBytes) });
  api = await stack.startApi();
  const at = (name: string) => join(dir, "recordings", name);
  await mkdir(at("folder"), { recursive: true });
  for (const name of ["good-0.wav", "good-1.wav", "new.wav", "own.wav", "nameless.wav", "stray.wav"])
    await writeFile(at(name), makeRecording(8 * KB).bytes);
  await writeFile(at("empty.wav"), "");
  await writeFile(at("silent.wav"), wavHeader(0));
  await writeFile(at("large.wav"), makeRecording(maxBytes + KB).bytes);
  await writeFile(at("text.wav"), "This is not a recording.");
  await writeFile(at("short.wav"), makeRecording(8 * KB).bytes.subarray(0, 4 * KB));
  await symlink(at("itself.wav"), at("itself.wav"));
  execFileSync("mkfifo", [at("pipe.wav")]);
  const lines = [
    [...columns, ...spare].join(","),
    ...[...goodRows, ...defects.map(([, row]) => row)].map((row) =>
      typeof row === "string" || Buffer.isBuffer(row) ? row : rowOf(row, stack.campaignId),
    ),
  ];
  await writeFile(
    join(dir, "calls.csv"),
    Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")])),
  );
});
afterAll(async () => {
  await stack?.stop();
  await rm(dir, { recursive: true, force: true });
});

const lineOf = (code: string) => 2 + goodRows.length + defects.findIndex(([name]) => name === code);
const hearback = (manifest: string, ...more: string[]) =>
  runCommand(
    { baseUrl: api.baseUrl, apiKey: stack.apiKey },
    ...["import", manifest, "--recordings", join(dir, "recordings"), "--time-format", "yyyy-MM-dd HH:mm:ss"],
    ...["--time-zone", "Europe/Paris", "--create-agents", "--yes", ...more],
  );
const storedCalls = async () =>
  (
    await stack.adminDb.query<{ email: string; seconds: number }>(
      `select u.email, extract(epoch from c.happened_at)::int as seconds
         from call c join app_user u on u.id = c.agent_id order by 1, 2`,
    )
  ).rows;

interface Group {
  code: string;
  level: string;
  first: { line: number | null; detail: string; fix: string }[];
}

test(`a dry run reports each of ${defects.length + 1} kinds of defect with its line and fix`, async () => {
  const { code, stdout, stderr } = await hearback(join(dir, "calls.csv"), "--dry-run", "--json");
  expect(code, stderr).toBe(1);
  const { findings } = JSON.parse(stdout) as { findings: Group[] };
  for (const [kind] of [...defects, ["file_without_row"]] as [string][]) {
    const group = findings.find((one) => one.code === kind);
    const finding = group?.first.find(({ line }) => kind === "file_without_row" || line === lineOf(kind));
    expect(finding, `${kind} on line ${lineOf(kind)}: ${JSON.stringify(group)}`).toBeDefined();
    expect(finding?.fix.length).toBeGreaterThan(10);
    expect(group?.level).toBe(warnings.includes(kind) ? "warning" : "error");
  }
  expect(defects.length + 1).toBeGreaterThanOrEqual(40);
  expect(await storedCalls()).toEqual([]);
});

test("the text output lists the same defects, and nothing is imported", async () => {
  const { code, stdout, stderr } = await hearback(join(dir, "calls.csv"));
  expect(code).toBe(2);
  expect(stderr).toMatch(/--skip-invalid/);
  for (const [kind] of defects) expect(stdout).toMatch(new RegExp(`line ${lineOf(kind)}\\b`, "i"));
  expect(stdout).not.toContain("\x1b");
  expect(await storedCalls()).toEqual([]);
});

test("--skip-invalid imports the valid rows correctly; fixed rows can be imported later", async () => {
  const { code, stdout, stderr } = await hearback(join(dir, "calls.csv"), "--skip-invalid", "--json");
  expect(code, stderr).toBe(1);
  const right = [
    { email: "ann@example.com", seconds: goodSeconds },
    { email: "ann@example.com", seconds: goodSeconds },
    { email: "ann@example.com", seconds: goodSeconds + 2 * 60 * 60 },
    { email: "bob@example.com", seconds: goodSeconds },
  ];
  expect(await storedCalls()).toEqual(right);

  const { failures_file: failures } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  expect((await readFile(failures, "utf8")).split("\r\n")[0]).toMatch(/hearback_line,hearback_code,hearback_reason,/);
  await writeFile(join(dir, "recordings/gone.wav"), makeRecording(8 * KB).bytes);
  const again = await hearback(failures, "--skip-invalid", "--json");
  expect(JSON.parse(again.stdout.trim().split("\n").at(-1) ?? ""), again.stderr).toMatchObject({ imported: 1 });
  expect(await storedCalls()).toHaveLength(right.length + 1);
});
