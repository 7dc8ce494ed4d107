import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { splitCsv } from "../manifest/split-csv.ts";
import { openFailures } from "./failures.ts";

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-failures-"));
  file = join(folder, "failures.csv");
});
afterEach(() => rm(folder, { recursive: true }));

/** As a manifest is read. */
async function rowsOf(): Promise<(readonly string[])[]> {
  const csv = splitCsv(",");
  const rows = [...csv.write(await readFile(file, "utf8")), ...csv.end()];
  return rows.map(({ cells }) => cells);
}

const aFailure = (cells: string[], line = 2) => ({
  ...{ line, file: cells[0] ?? "", cells },
  ...{ code: "agent_not_found", reason: 'There is no agent "bob".', fix: "Use --create-agents." },
});

test("the manifest's own cells come back verbatim, with what is wrong", async () => {
  const columns = ["file", "agent, or so", 'say "when"', "notes"];
  const rows = [
    ["a.wav", "bob@example.com", "2024-05-01 10:00", ' leading; "quoted", and\r\na second line\t '],
    ["é.wav", "", "", "=1+1"],
    ["b.wav", "", "", "", "one cell too many"],
  ];
  const failures = openFailures({ file, columns });
  for (const [at, row] of rows.entries()) failures.add(aFailure(row, at + 2));
  expect(await failures.close({ sawAll: true })).toBe(file);
  const own = ["hearback_line", "hearback_code", "hearback_reason", "hearback_fix"];
  const said = (line: string) => [line, "agent_not_found", 'There is no agent "bob".', "Use --create-agents."];
  expect(await rowsOf()).toEqual([[...columns, ...own], ...rows.map((row, at) => [...row, ...said(String(at + 2))])]);
});

test("without failures there is no file, not even the one of the run before", async () => {
  await writeFile(file, "old");
  expect(await openFailures({ file, columns: ["file"] }).close({ sawAll: true })).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test("the file before stays as it is until this one is complete: it may be the manifest", async () => {
  await writeFile(file, "old");
  const failures = openFailures({ file, columns: ["file"] });
  failures.add(aFailure(["a.wav"]));
  expect(await readFile(file, "utf8")).toBe("old");
  await failures.close({ sawAll: true });
  expect(await readFile(file, "utf8")).toContain("a.wav");
  expect(await readdir(folder)).toEqual(["failures.csv"]);
});

test("calls without a manifest are named by their files", async () => {
  const failures = openFailures({ file, columns: [] });
  failures.add({ ...aFailure([]), file: "2024/a.wav" });
  await failures.close({ sawAll: true });
  expect((await rowsOf()).map((cells) => cells.slice(0, 2))).toEqual([
    ["file", "hearback_line"],
    ["2024/a.wav", "2"],
  ]);
});

test("what an earlier file of failures said is not said again", async () => {
  const failures = openFailures({ file, columns: ["hearback_code", "file", "hearback_fix", "agent"] });
  failures.add(aFailure(["recording_empty", "a.wav", "old", "bob"]));
  await failures.close({ sawAll: true });
  expect((await rowsOf()).map((cells) => cells.slice(0, 4))).toEqual([
    ["file", "agent", "hearback_line", "hearback_code"],
    ["a.wav", "bob", "2", "agent_not_found"],
  ]);
});

test("a row with too few cells stays one", async () => {
  const failures = openFailures({ file, columns: ["file", "agent", "phone"] });
  failures.add({ ...aFailure(["a.wav", "bob"]), code: "row_too_few_cells" });
  await failures.close({ sawAll: true });
  expect((await rowsOf()).map((cells) => cells.length)).toEqual([7, 6]);
});

test("a run that did not see all rows leaves the file before as it is", async () => {
  await writeFile(file, "old");
  await openFailures({ file, columns: ["file"] }).close({ sawAll: false });
  const broken = openFailures({ file, columns: ["file"] });
  broken.add(aFailure(["a.wav"]));
  await broken.discard();
  expect(await readFile(file, "utf8")).toBe("old");
  expect(await readdir(folder)).toEqual(["failures.csv"]);
});

test("what is published can be read, and goes on", async () => {
  const failures = openFailures({ file: join(folder, "made", "failures.csv"), columns: ["file"] });
  failures.add(aFailure(["a.wav"]));
  await failures.publish();
  failures.add(aFailure(["b.wav"], 3));
  expect(await failures.close({ sawAll: false })).toBe(join(folder, "made", "failures.csv"));
  expect(await readFile(join(folder, "made", "failures.csv"), "utf8")).toMatch(/^file.*\r\na\.wav.*\r\nb\.wav/);
});
