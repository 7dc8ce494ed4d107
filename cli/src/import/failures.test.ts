import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { splitCsv } from "../manifest/rows/split-csv.ts";
import { openFailures } from "./failures.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-failures-"));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (columns: readonly string[], separator?: string) =>
  openFailures({ folder, name: "failures", columns, separator });

/** Reads a file as a manifest is read. */
async function rowsOf(file: string | undefined, separator = ","): Promise<(readonly string[])[]> {
  const csv = splitCsv(separator);
  const text = (await readFile(file ?? "", "utf8")).replace("\ufeff", "");
  return [...csv.write(text), ...csv.end()].map(({ cells }) => cells);
}

const makeFailure = (cells: string[], line = 2) => ({
  line,
  file: cells[0] ?? "",
  cells,
  problems: [{ code: "agent_not_found", reason: 'There is no agent "bob".', fix: "Use --create-agents." }],
});

test.each([",", ";", "\t"])("keeps the manifest's cells verbatim and adds the failure (%j)", async (separator) => {
  const columns = ["file", "agent, or so", 'say "when"', "notes"];
  const rows = [
    ["a.wav", "bob@example.com", "2024-05-01 10:00", ' leading; "quoted", and\r\na second line\t '],
    ["é.wav", "", "", "=1+1"],
    ["b.wav", "", "", "", "one cell too many"],
  ];
  const failures = open(columns, separator);
  for (const [at, row] of rows.entries()) failures.add(makeFailure(row, at + 2));
  const failureColumns = ["hearback_line", "hearback_code", "hearback_reason", "hearback_fix"];
  const failureCells = (line: string) => [line, "agent_not_found", 'There is no agent "bob".', "Use --create-agents."];
  expect(await rowsOf(await failures.close(), separator)).toEqual([
    [...columns, ...failureColumns],
    ...rows.map((row, at) => [...row, ...failureCells(String(at + 2))]),
  ]);
});

test("writes no file and no folder without failures", async () => {
  const failures = openFailures({ folder: join(folder, "new"), name: "failures", columns: ["file"] });
  expect(await failures.close()).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test("every run writes a new file", async () => {
  for (const file of ["a.wav", "b.wav"]) {
    const failures = open(["file"]);
    failures.add(makeFailure([file]));
    expect(await failures.close()).toBe(failures.file);
    expect(await failures.close()).toBe(failures.file);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(await readdir(folder)).toEqual([
    expect.stringMatching(/^failures-\d{8}-\d{6}-\d{3}\.csv$/),
    expect.stringMatching(/^failures-\d{8}-\d{6}-\d{3}\.csv$/),
  ]);
});

test("lists files if there is no manifest", async () => {
  const failures = open([]);
  failures.add({ ...makeFailure([]), file: "2024/a.wav" });
  expect((await rowsOf(await failures.close())).map((cells) => cells.slice(0, 2))).toEqual([
    ["file", "hearback_line"],
    ["2024/a.wav", "2"],
  ]);
});

test("replaces the columns of an earlier failures file", async () => {
  const failures = open(["hearback_code", "file", "hearback_fix", "agent"]);
  failures.add(makeFailure(["recording_empty", "a.wav", "old", "bob"]));
  expect((await rowsOf(await failures.close())).map((cells) => cells.slice(0, 4))).toEqual([
    ["file", "agent", "hearback_line", "hearback_code"],
    ["a.wav", "bob", "2", "agent_not_found"],
  ]);
});

test("does not pad a row with too few cells", async () => {
  const failures = open(["file", "agent", "phone"]);
  failures.add({
    ...makeFailure(["a.wav", "bob"]),
    problems: [{ code: "row_too_few_cells", reason: "Too few.", fix: "Add them." }],
  });
  expect((await rowsOf(await failures.close())).map((cells) => cells.length)).toEqual([7, 6]);
});

test("lists all problems of a row in one record, one line each", async () => {
  const failures = open(["file", "agent"]);
  const problems = ["time_missing", "file_missing"].map((code) => ({
    code,
    reason: `No ${code}.`,
    fix: `Add ${code}.`,
  }));
  failures.add({ ...makeFailure(["a.wav", "bob"]), problems });
  expect((await rowsOf(await failures.close()))[1]).toEqual([
    "a.wav",
    "bob",
    "2",
    "time_missing\nfile_missing",
    "No time_missing.\nNo file_missing.",
    "Add time_missing.\nAdd file_missing.",
  ]);
});
