import { appendFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { makeWav } from "../testing/make-wav.ts";
import type { Entry, InvalidRow } from "./entry.ts";
import { loadMapping } from "./load-mapping.ts";
import { type Manifest, type ManifestOptions, openManifest } from "./open-manifest.ts";
import { makeFolder, readManifest } from "./testing/manifest-folder.ts";

const header = "file,agent_email,time,campaign,site";
const row = "a.wav,ann@example.com,1714557600,support-fr,Orléans";

async function read(manifest: string | Buffer, options: Partial<ManifestOptions> = {}, name = "calls.csv") {
  const folder = await makeFolder({
    [name]: manifest,
    "recordings/a.wav": makeWav(),
    "recordings/sub/b.wav": makeWav(),
  });
  return readManifest({ manifest: join(folder, name), recordings: join(folder, "recordings"), ...options });
}

async function all(manifest: Manifest): Promise<(Entry | InvalidRow)[]> {
  const rows: (Entry | InvalidRow)[] = [];
  for await (const row of manifest.entries()) rows.push(row);
  return rows;
}

const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16();

test.each([
  ["UTF-8", `${header}\n${row}\n`],
  ["UTF-8 with a byte order mark", `\ufeff${header}\n${row}\n`],
  ["UTF-16 little-endian", Buffer.from(`\ufeff${header}\r\n${row}\r\n`, "utf16le")],
  ["UTF-16 big-endian", utf16be(`${header}\r\n${row}\r\n`)],
  ["Windows-1252", Buffer.from(`${header}\n${row}\n`, "latin1")],
  ["semicolons", `${header}\n${row}\n`.replaceAll(",", ";")],
  ["tabs", `${header}\n${row}\n`.replaceAll(",", "\t")],
  ["pipes", `${header}\n${row}\n`.replaceAll(",", "|")],
  ["a sep= line", `sep=;\r\n${header}\r\n${row}\r\n`.replaceAll(",", ";")],
  ["trailing empty lines", `${header}\r\n${row}\r\n\r\n,,,,\r\n\r\n`],
  ["extra empty cells", `${header}\n${row},,\n`],
  ["column names in other cases and with spaces", `File Name,Agent E-mail,Start Time,CAMPAIGN ID,site\n${row}\n`],
  ["French column names", `Fichier,Courriel agent,Date de l'appel,Campagne,site\n${row}\n`],
])("reads a CSV with %s", async (_, manifest) => {
  const { entries, findings } = await read(manifest);
  expect(findings.filter(({ level }) => level === "error")).toEqual([]);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    file: "a.wav",
    agentEmail: "ann@example.com",
    happenedAt: 1714557600,
    campaignId: "support-fr",
    metadata: [{ key: "site", value: "Orléans" }],
    bytes: makeWav().length,
  });
});

test("warns that a file is read as Windows-1252", async () => {
  const { entries, findings } = await read(
    Buffer.concat([Buffer.from(`${header}\n${row.replace("Orléans", "")}`), Buffer.from([0x80, 0x92, 0x0a])]),
  );
  expect(findings).toMatchObject([{ code: "manifest_encoding_guessed", level: "warning", line: undefined }]);
  expect(entries[0]?.metadata).toEqual([{ key: "site", value: "€’" }]);
});

test("counts lines like an editor", async () => {
  const rows = [
    row.replace("Orléans", '"two\r\nlines"'),
    "",
    row.replace("a.wav", "x.wav"),
    row.replace("a.wav", "y.wav"),
  ];
  const { entries, findings } = await read([header, ...rows].join("\r\n"));
  expect(entries.map(({ line }) => line)).toEqual([2]);
  expect(findings.map(({ line }) => line)).toEqual([5, 6]);
});

test("reads JSON lines with members that appear in later rows", async () => {
  const call = { file: "a.wav", agent_email: "ann@example.com", time: 1714557600, campaign: "support-fr" };
  const { columns, entries } = await read(
    `${JSON.stringify(call)}\n\n${JSON.stringify({ ...call, phone: "+331", vip: true, note: null })}\n`,
    {},
    "calls.jsonl",
  );
  expect(columns).toEqual(["file", "agent_email", "time", "campaign", "phone", "vip", "note"]);
  expect(entries.map(({ line, metadata }) => [line, metadata])).toEqual([
    [1, []],
    [
      3,
      [
        { key: "phone", value: "+331" },
        { key: "vip", value: "true" },
      ],
    ],
  ]);
});

test("reads standard input repeatedly", async () => {
  const folder = await makeFolder({ "recordings/a.wav": makeWav() });
  const manifest = await openManifest({
    manifest: "-",
    input: Readable.from([`${header}\n`, Buffer.from(`${row}\n`)]),
    recordings: join(folder, "recordings"),
  });
  for (const _ of [1, 2]) expect((await all(manifest)).map(({ line }) => line)).toEqual([2]);
  await manifest.close();
});

test("fails if the manifest changes while it is open", async () => {
  const folder = await makeFolder({ "calls.csv": `${header}\n${row}\n`, "recordings/a.wav": makeWav() });
  const manifest = await openManifest({ manifest: join(folder, "calls.csv"), recordings: join(folder, "recordings") });
  await appendFile(join(folder, "calls.csv"), `${row}\n`);
  await expect(all(manifest)).rejects.toMatchObject({ findings: [{ code: "manifest_changed" }] });
  await manifest.close();
});

test("accepts Windows paths, surrounding spaces, and links inside the folder", async () => {
  const folder = await makeFolder({
    "calls.csv": `${header}\n${row.replace("a.wav", " sub\\b.wav ")}\n${row.replace("a.wav", "link.wav")}\n`,
    "recordings/sub/b.wav": makeWav(),
  });
  await symlink("sub/b.wav", join(folder, "recordings/link.wav"));
  const { entries, findings } = await readManifest({
    manifest: join(folder, "calls.csv"),
    recordings: join(folder, "recordings"),
  });
  expect(findings).toEqual([]);
  expect(entries.map(({ file }) => file)).toEqual(["sub/b.wav", "link.wav"]);
});

test("metadata may contain line breaks, tabs and other scripts", async () => {
  const value = "one\ntwo\tthree \u202bשלום\u202c";
  const { entries, findings } = await read(`${header}\n${row.replace("Orléans", `"${value}"`)}\n`);
  expect(findings).toEqual([]);
  expect(entries[0]?.metadata).toEqual([{ key: "site", value }]);
});

/** Codes of each invalid row. */
async function codesOf(text: string, name = "calls.csv"): Promise<string[][]> {
  const folder = await makeFolder({ [name]: text, "recordings/a.wav": makeWav() });
  const manifest = await openManifest({ manifest: join(folder, name), recordings: join(folder, "recordings") });
  const rows = await all(manifest);
  await manifest.close();
  return rows.map((row) => ("findings" in row ? row.findings.map(({ code }) => code) : []));
}

test.each([
  ["agent and file", "gone.wav,Ann,1714557600,support-fr,x", ["agent_not_email", "file_missing"]],
  [
    "every field",
    `,Ann,yesterday,,${"x".repeat(1025)}`,
    ["file_name_missing", "agent_not_email", "time_format_missing", "campaign_missing", "metadata_value_too_long"],
  ],
  [
    "an invalid cell, reported once, and the other fields",
    "gone.wav,a\x01nn@example.com,yesterday,support-fr,x",
    ["control_characters", "time_format_missing", "file_missing"],
  ],
  [
    "a line break in two names",
    '"a\n.wav","ann\n@example.com",yesterday,support-fr,x',
    ["control_characters", "control_characters", "time_format_missing"],
  ],
])("reports all defects of a row: %s", async (_, text, codes) => {
  expect(await codesOf(`${header}\n${text}\n`)).toEqual([codes]);
});

test("reports all defects of a JSON line", async () => {
  const call = { file: "gone.wav", agent_email: ["a"], time: 1714557600, campaign: { id: "x" }, site: 1e20 };
  expect(await codesOf(JSON.stringify(call), "calls.jsonl")).toEqual([
    ["json_value_nested", "json_value_nested", "json_number_inexact", "file_missing"],
  ]);
});

test("reports every metadata value that is too long, and the agent's name", async () => {
  const long = "x".repeat(1025);
  const codes = await codesOf(
    `${header},agent_name,note\n${row},${"A".repeat(201)},${long}\n`.replace("Orléans", long),
  );
  expect(codes).toEqual([["agent_name_too_long", "metadata_value_too_long", "metadata_value_too_long"]]);
});

test("reads a failures file although the manifest had no header and another separator", async () => {
  const mapping = { columns: header.split(","), separator: ";" };
  const own = "hearback_line,hearback_code,hearback_reason,hearback_fix";
  const fedBack = await read(
    `${header},${own}\r\n${row},2,"agent_not_found\ntext_broken","None.\nBroken: Orl\ufffdans.",Create it.\r\n`,
    { mapping },
  );
  expect(fedBack.findings).toEqual([]);
  expect(fedBack.entries[0]).toMatchObject({ file: "a.wav", metadata: [{ key: "site", value: "Orléans" }] });
});

test("maps columns with a mapping file and --map", async () => {
  const folder = await makeFolder({
    "mapping.json": JSON.stringify({
      columns: ["id", "day", "clock", "channel", "src", "state"],
      file: "{id}.wav",
      agent: "{channel|/^SIP\\/(\\d+)-/}",
      time: { from: "{day} {clock}", format: "dd/MM/yyyy HH:mm", zone: "UTC" },
      metadata: { client_phone: "{src}", call_direction: "inbound" },
      rest: "drop",
      only: { state: ["ANSWERED"] },
    }),
    "agents.csv": "Agent;Email;Name\n1041;ann@example.com;Ann Lee\n",
    "calls.csv": "a,01/05/2024,10:00,SIP/1041-00af,+331,ANSWERED\nb,01/05/2024,10:00,SIP/1041-00af,+331,BUSY\n",
    "recordings/a.wav": makeWav(),
  });
  const { entries, skipped, findings } = await readManifest({
    manifest: join(folder, "calls.csv"),
    recordings: join(folder, "recordings"),
    agentsFile: join(folder, "agents.csv"),
    campaign: "support-fr",
    timeZone: "Europe/Paris",
    mapping: await loadMapping({
      mappingFile: join(folder, "mapping.json"),
      maps: ["phone={src|/(\\d+)/}", "client_phone=src"],
    }),
  });
  expect(findings).toEqual([]);
  expect(skipped).toBe(1);
  expect(entries[0]).toMatchObject({
    line: 1,
    agentEmail: "ann@example.com",
    agentName: "Ann Lee",
    happenedAt: Date.UTC(2024, 4, 1, 8) / 1000,
    campaignId: "support-fr",
    metadata: [
      { key: "client_phone", value: "+331" },
      { key: "call_direction", value: "inbound" },
      { key: "phone", value: "331" },
    ],
  });
});

test.each([
  [{ "site|/^(O)/": ["O"] }, ["Orléans", "Orly"]],
  [{ "site|/^(Or|Ly)/": [""] }, ["", "Nice"]],
  [{ "site|/^(Or|Ly)/": ["", "Ly"], site: ["Lyon", "Nice"] }, ["Lyon", "Nice"]],
])("filters rows with %o", async (only, taken) => {
  const sites = ["Orléans", "Lyon", "", "Nice", "Orly"];
  const rows = sites.map((site, at) => row.replace("1714557600", String(1714557600 + at)).replace("Orléans", site));
  const { entries, skipped } = await read([header, ...rows].join("\n"), { mapping: { only } });
  expect(entries.map(({ cells }) => cells[4])).toEqual(taken);
  expect(skipped).toBe(sites.length - taken.length);
});

test("uses the first non-empty template for every field", async () => {
  const folder = await makeFolder({
    "mapping.json": JSON.stringify({
      file: ["{recording}", "{id}.wav"],
      agent_email: ["{to|/^(.+@.+)$/}", "{from|/^(.+@.+)$/}"],
      agent_name: ["{name}", "Nobody"],
      time: { from: ["{answered}", "{started}"], format: "unix" },
      campaign: ["{queue}", "{line}", "other"],
      metadata: { client_phone: ["{from|/^(\\+?\\d{6,})$/}", "{to|/^(\\+?\\d{6,})$/}"], both: ["{from} {id}"] },
      rest: "drop",
    }),
    "calls.csv": [
      "id,recording,from,to,name,answered,started,queue,line",
      "1,a.wav,+33612345678,ann@example.com,Ann Lee,1714557600,1714557500,sales,fr",
      "2,,ann@example.com,0033145678901,,,1714557700,,fr",
      "3,,ann@example.com,bob@example.com,,,1714557800,,",
    ].join("\n"),
    ...Object.fromEntries(["a", "2", "3"].map((name) => [`recordings/${name}.wav`, makeWav()])),
  });
  const { entries, findings } = await readManifest({
    manifest: join(folder, "calls.csv"),
    recordings: join(folder, "recordings"),
    mapping: await loadMapping({ mappingFile: join(folder, "mapping.json") }),
  });
  expect(findings).toEqual([]);
  expect(
    entries.map((call) => [
      ...[call.file, call.agentEmail, call.agentName, call.happenedAt, call.campaignId],
      call.metadata.find(({ key }) => key === "client_phone")?.value,
    ]),
  ).toEqual([
    ["a.wav", "ann@example.com", "Ann Lee", 1714557600, "sales", "+33612345678"],
    ["2.wav", "ann@example.com", "Nobody", 1714557700, "fr", "0033145678901"],
    ["3.wav", "bob@example.com", "Nobody", 1714557800, "other", undefined],
  ]);
});

test.each([
  [{ times: "x" }, "times"],
  [{ file: [] }, "file"],
  [{ agent: ["{a}", ""] }, "agent"],
  [{ campaign: [["{a}"]] }, "campaign"],
  [{ metadata: { client_phone: [] } }, "metadata"],
  [{ time: { format: ["unix", "iso"] } }, "time"],
  [{ time: { form: "x" } }, "time"],
  [{ separator: ";;" }, "separator"],
  [{ only: { state: "x" } }, "only"],
  [{ rest: "some" }, "rest"],
])("rejects a mapping file with %o", async (mapping, column) => {
  const folder = await makeFolder({ "mapping.json": JSON.stringify(mapping) });
  await expect(loadMapping({ mappingFile: join(folder, "mapping.json") })).rejects.toMatchObject({
    findings: [{ code: "mapping_invalid", column }],
  });
});

test("reads everything from file names in subfolders", async () => {
  const folder = await makeFolder({
    "support-fr/ann_lee@example.com_20240501100000_+331.wav": makeWav(),
    "sales/deep/bob@example.com_20240501100100_unknown.WAV": makeWav(),
    "sales/.hidden@example.com_20240501100100_1.wav": makeWav(),
    "old.hearback/journal": "",
  });
  const options = {
    recordings: folder,
    timeZone: "UTC",
    pattern: "{campaign}/{agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav",
  };
  const { entries, findings, columns } = await readManifest(options);
  expect(columns).toEqual(["file", "campaign", "agent_email", "time", "client_phone"]);
  expect(entries).toMatchObject([
    {
      agentEmail: "ann_lee@example.com",
      campaignId: "support-fr",
      happenedAt: Date.UTC(2024, 4, 1, 10) / 1000,
      metadata: [{ key: "client_phone", value: "+331" }],
    },
  ]);
  expect(findings).toMatchObject([{ code: "pattern_mismatch" }]);
  expect(findings[0]?.detail).toContain("sales/deep/bob@example.com_20240501100100_unknown.WAV");

  const deeper = await readManifest({
    ...options,
    pattern: "{_}/{*}/{agent_email}_{time:yyyyMMddHHmmss}_{_}.wav",
    campaign: "x",
  });
  expect(deeper.entries.map(({ agentEmail }) => agentEmail)).toEqual(["bob@example.com"]);
});
