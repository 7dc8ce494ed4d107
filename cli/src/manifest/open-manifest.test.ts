import { appendFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { aWav } from "../testing/a-wav.ts";
import type { Entry } from "./entry.ts";
import type { Finding } from "./finding.ts";
import { loadMapping } from "./load-mapping.ts";
import { type Manifest, type ManifestOptions, openManifest } from "./open-manifest.ts";
import { aFolder, readManifest } from "./testing/manifest-folder.ts";

const header = "file,agent_email,time,campaign,site";
const row = "a.wav,ann@example.com,1714557600,support-fr,Orléans";

async function read(manifest: string | Buffer, options: Partial<ManifestOptions> = {}, name = "calls.csv") {
  const folder = await aFolder({ [name]: manifest, "recordings/a.wav": aWav(), "recordings/sub/b.wav": aWav() });
  return readManifest({ manifest: join(folder, name), recordings: join(folder, "recordings"), ...options });
}

async function all(manifest: Manifest): Promise<(Entry | Finding)[]> {
  const items: (Entry | Finding)[] = [];
  for await (const item of manifest.entries()) items.push(item);
  return items;
}

const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16();

test.each([
  ["UTF-8", `${header}\n${row}\n`],
  ["UTF-8 with its mark", `\ufeff${header}\n${row}\n`],
  ["UTF-16, little end first", Buffer.from(`\ufeff${header}\r\n${row}\r\n`, "utf16le")],
  ["UTF-16, big end first", utf16be(`${header}\r\n${row}\r\n`)],
  ["Windows-1252", Buffer.from(`${header}\n${row}\n`, "latin1")],
  ["semicolons", `${header}\n${row}\n`.replaceAll(",", ";")],
  ["tabs", `${header}\n${row}\n`.replaceAll(",", "\t")],
  ["bars", `${header}\n${row}\n`.replaceAll(",", "|")],
  ["a first line that names the separator", `sep=;\r\n${header}\r\n${row}\r\n`.replaceAll(",", ";")],
  ["empty lines at the end", `${header}\r\n${row}\r\n\r\n,,,,\r\n\r\n`],
  ["empty cells beyond the columns", `${header}\n${row},,\n`],
  ["names in capitals with spaces", `File Name,Agent E-mail,Start Time,CAMPAIGN ID,site\n${row}\n`],
  ["French names", `Fichier,Courriel agent,Date de l'appel,Campagne,site\n${row}\n`],
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
    bytes: aWav().length,
  });
});

test("says that it took a file for Windows-1252, with its own signs", async () => {
  const { entries, findings } = await read(
    Buffer.concat([Buffer.from(`${header}\n${row.replace("Orléans", "")}`), Buffer.from([0x80, 0x92, 0x0a])]),
  );
  expect(findings).toMatchObject([{ code: "manifest_encoding_guessed", level: "warning", line: undefined }]);
  expect(entries[0]?.metadata).toEqual([{ key: "site", value: "€’" }]);
});

test("counts lines as an editor does", async () => {
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

test("reads JSON lines, with members that come late", async () => {
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

test("reads what comes in by a pipe, as often as it is asked", async () => {
  const folder = await aFolder({ "recordings/a.wav": aWav() });
  const manifest = await openManifest({
    manifest: "-",
    input: Readable.from([`${header}\n`, Buffer.from(`${row}\n`)]),
    recordings: join(folder, "recordings"),
  });
  for (const _ of [1, 2]) expect((await all(manifest)).map(({ line }) => line)).toEqual([2]);
  await manifest.close();
});

test("stops when the manifest is changed while it is used", async () => {
  const folder = await aFolder({ "calls.csv": `${header}\n${row}\n`, "recordings/a.wav": aWav() });
  const manifest = await openManifest({ manifest: join(folder, "calls.csv"), recordings: join(folder, "recordings") });
  await appendFile(join(folder, "calls.csv"), `${row}\n`);
  await expect(all(manifest)).rejects.toMatchObject({ findings: [{ code: "manifest_changed" }] });
  await manifest.close();
});

test("takes paths of Windows, surrounding spaces, and links within the folder", async () => {
  const folder = await aFolder({
    "calls.csv": `${header}\n${row.replace("a.wav", " sub\\b.wav ")}\n${row.replace("a.wav", "link.wav")}\n`,
    "recordings/sub/b.wav": aWav(),
  });
  await symlink("sub/b.wav", join(folder, "recordings/link.wav"));
  const { entries, findings } = await readManifest({
    manifest: join(folder, "calls.csv"),
    recordings: join(folder, "recordings"),
  });
  expect(findings).toEqual([]);
  expect(entries.map(({ file }) => file)).toEqual(["sub/b.wav", "link.wav"]);
});

test("metadata may have several lines, tabs, and signs of other scripts", async () => {
  const value = "one\ntwo\tthree \u202bשלום\u202c";
  const { entries, findings } = await read(`${header}\n${row.replace("Orléans", `"${value}"`)}\n`);
  expect(findings).toEqual([]);
  expect(entries[0]?.metadata).toEqual([{ key: "site", value }]);
});

test("a row with two defects is named twice and is one row", async () => {
  const { findings } = await read(`${header}\ngone.wav,Ann,1714557600,support-fr,x\n`);
  expect(findings.map(({ code, cells }) => [code, cells !== undefined])).toEqual([
    ["agent_not_email", true],
    ["file_missing", false],
  ]);
});

test("reads a file of failures although the manifest had no names of columns and another separator", async () => {
  const mapping = { columns: header.split(","), separator: ";" };
  const own = "hearback_line,hearback_code,hearback_reason,hearback_fix";
  const fedBack = await read(`${header},${own}\r\n${row},2,agent_not_found,There is none.,Create it.\r\n`, { mapping });
  expect(fedBack.findings).toEqual([]);
  expect(fedBack.entries[0]).toMatchObject({ file: "a.wav", metadata: [{ key: "site", value: "Orléans" }] });
});

test("maps columns as a recipe's file and single fields say", async () => {
  const folder = await aFolder({
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
    "recordings/a.wav": aWav(),
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
])("takes only rows that %o says", async (only, taken) => {
  const sites = ["Orléans", "Lyon", "", "Nice", "Orly"];
  const rows = sites.map((site, at) => row.replace("1714557600", String(1714557600 + at)).replace("Orléans", site));
  const { entries, skipped } = await read([header, ...rows].join("\n"), { mapping: { only } });
  expect(entries.map(({ cells }) => cells[4])).toEqual(taken);
  expect(skipped).toBe(sites.length - taken.length);
});

test("takes the first of several templates that is not empty, for every field", async () => {
  const folder = await aFolder({
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
    ...Object.fromEntries(["a", "2", "3"].map((name) => [`recordings/${name}.wav`, aWav()])),
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
])("refuses a mapping file with %o", async (mapping, column) => {
  const folder = await aFolder({ "mapping.json": JSON.stringify(mapping) });
  await expect(loadMapping({ mappingFile: join(folder, "mapping.json") })).rejects.toMatchObject({
    findings: [{ code: "mapping_invalid", column }],
  });
});

test("takes everything from the names of files, at any depth", async () => {
  const folder = await aFolder({
    "support-fr/ann_lee@example.com_20240501100000_+331.wav": aWav(),
    "sales/deep/bob@example.com_20240501100100_unknown.WAV": aWav(),
    "sales/.hidden@example.com_20240501100100_1.wav": aWav(),
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
  expect(findings).toMatchObject([
    { code: "pattern_mismatch", cells: ["sales/deep/bob@example.com_20240501100100_unknown.WAV"] },
  ]);

  const deeper = await readManifest({
    ...options,
    pattern: "{_}/{*}/{agent_email}_{time:yyyyMMddHHmmss}_{_}.wav",
    campaign: "x",
  });
  expect(deeper.entries.map(({ agentEmail }) => agentEmail)).toEqual(["bob@example.com"]);
});
