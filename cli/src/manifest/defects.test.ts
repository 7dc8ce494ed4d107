import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeWav } from "../testing/make-wav.ts";
import { findingCodes, type ManifestError } from "./finding-codes.ts";
import { loadMapping } from "./load-mapping.ts";
import { callDefects } from "./testing/call-defects.ts";
import { good, header } from "./testing/defective.ts";
import { manifestDefects } from "./testing/manifest-defects.ts";
import { makeFolder, readManifest } from "./testing/manifest-folder.ts";
import { rowDefects } from "./testing/row-defects.ts";

const defects = { ...manifestDefects, ...rowDefects, ...callDefects };

/** Codes of warnings, and codes that the preflight reports. */
const reportedElsewhere = [
  "manifest_encoding_guessed",
  "manifest_changed",
  "duplicate_row",
  "file_named_twice",
  "file_without_row",
  "agent_unknown",
  "agent_other_role",
  "agent_name_missing",
  "agent_name_differs",
  "agents_too_many",
  "campaign_unknown",
  "campaigns_too_many",
  "quota_calls",
  "quota_bytes",
];

test.each(Object.entries(defects))(
  "reports %s with its line and fix, and yields no entry for it",
  async (_, { code, line, fix, detail = /./, manifest, row, name = "calls.csv", agents, prepare, ...given }) => {
    const wav = makeWav();
    const folder = await makeFolder({
      [name]: manifest ?? `${header}\n${good}\n${row}\n`,
      "agents.csv": agents ?? "",
      "recordings/good.wav": wav,
      "recordings/a.wav": wav,
      "recordings/sub/b.wav": wav,
      "recordings/calls.hearback/journal": "",
      "two-ways/ann@example.com_1714557600_1_2.wav": wav,
    });
    await prepare?.(join(folder, "recordings"));
    const read = await loadMapping(given).then(
      (mapping) =>
        readManifest({
          manifest: join(folder, name),
          ...(agents !== undefined && { agentsFile: join(folder, "agents.csv") }),
          mapping,
          ...given.options,
          recordings: join(
            given.options?.recordings?.startsWith("/") ? "/" : folder,
            given.options?.recordings ?? "recordings",
          ),
        }),
      (error: ManifestError) => ({ findings: error.findings, entries: [] }),
    );

    const named = read.findings.filter((finding) => finding.code === code && finding.line === line);
    expect(named, JSON.stringify(read.findings)).not.toHaveLength(0);
    expect(named[0]?.level).toBe("error");
    expect(named[0]?.fix).toMatch(fix);
    expect(named[0]?.detail).toMatch(detail);
    expect(named[0]?.detail.length).toBeLessThan(800);
    expect(read.entries.filter((entry) => line === undefined || entry.line === line)).toEqual([]);
  },
);

test("every code has an example here or is reported by the preflight", () => {
  const shown = new Set<string>([...Object.values(defects).map(({ code }) => code), ...reportedElsewhere]);
  expect(findingCodes.filter((code) => !shown.has(code))).toEqual([]);
  expect(shown.size).toBeGreaterThanOrEqual(40 + reportedElsewhere.length);
});

test("docs/importing.md explains exactly these codes", async () => {
  const text = await readFile(new URL("../../../docs/importing.md", import.meta.url), "utf8");
  const explained = [...text.matchAll(/^\| `(\w+)` /gm)].map(([, code]) => code);
  expect(explained.toSorted()).toEqual([...findingCodes].toSorted());
});
