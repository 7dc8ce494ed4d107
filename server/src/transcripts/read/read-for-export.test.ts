import { expect, test } from "vitest";
import { callImporter } from "../../testing/import-calls.ts";
import { auditOf, openJsonClient } from "../../testing/json-client.ts";
import { readCsv, restoreCell } from "../../testing/read-csv.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { aTurn, storeTestTranscript } from "../../testing/transcripts.ts";

const service = await openTestApp();
const importCall = await callImporter(service);
const apiKey = await service.key("read", "review");
const ask = openJsonClient(service, apiKey);
const exported = async (query: string) =>
  (await service.api.inject({ url: `/calls/export?${query}`, headers: { "x-api-key": apiKey } })).body;

const day = (number: number) => new Date(Date.UTC(2026, 4, number));
const calls = await Promise.all(Array.from({ length: 30 }, (_, index) => importCall({ at: day(index + 1) })));
for (const { id } of calls.slice(0, 20))
  await storeTestTranscript(service, id, [aTurn("left", 0, "=1+1 Mister Nguyn"), aTurn("right", 5_000, "[iban] ok")]);
const corrected = calls[3]?.id ?? "";
const { body: read } = await ask("GET", `/calls/${corrected}/transcript`);
await ask("PATCH", `/calls/${corrected}/transcript`, {
  transcript_id: read.id,
  corrections: [{ turn: 0, word: 2, text: "Nguyen" }],
});
const lost = calls[4]?.id ?? "";
const { rows } = await service.admin.query("select object_key from transcript where call_id = $1", [lost]);
await service.app.storage.delete(rows[0].object_key);

const textOf = (id: string) =>
  id === lost || calls.findIndex((call) => call.id === id) >= 20
    ? null
    : `[00:00:00] Left: =1+1 Mister ${id === corrected ? "Nguyen" : "Nguyn"}\n[00:00:05] Right: [IBAN] ok\n`;

test("CSV has a column with what was said", async () => {
  const body = await exported("format=csv&transcripts=true&metadata_columns=a");
  const [head = [], ...cells] = readCsv(body);
  expect(head.at(-1)).toBe("transcript");
  expect(cells).toHaveLength(30);
  for (const row of cells) expect(restoreCell(row.at(-1) ?? "")).toBe(textOf(row[0] ?? "") ?? "");
});

test("JSON lines have the transcript as the API returns it; the audit log says that it was exported", async () => {
  let body = "";
  const entries = await auditOf(service, async () => {
    body = await exported("format=jsonl&transcripts=true");
  });
  expect(entries).toMatchObject([
    { action: "calls.exported", data: { format: "jsonl", filters: [], transcripts: true } },
  ]);
  const lines = body
    .trimEnd()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  expect(lines.map(({ id }: { id: string }) => id)).toEqual(calls.map(({ id }) => id).toReversed());
  for (const { id, transcript } of lines) {
    if (textOf(id) === null) expect(transcript).toBeNull();
    else expect(transcript).toEqual((await ask("GET", `/calls/${id}/transcript`)).body);
  }
});

test("without being asked for, an export has no transcripts", async () => {
  for (const format of ["csv", "jsonl"]) expect(await exported(`format=${format}`)).not.toMatch(/transcript|Nguy/);
});
