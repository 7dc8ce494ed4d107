import { expect, test } from "vitest";
import { openStyle } from "./style.ts";
import { formatSummary, type ImportSummary } from "./summary.ts";

const style = openStyle({ write: () => true }, {});
const good: ImportSummary = {
  ended: "done",
  total: 20_000,
  imported: 19_880,
  present: 120,
  failed: 0,
  erased: 0,
  agentsCreated: 300,
  sentBytes: 1_928_360_000,
  durationMs: 94_000,
  failuresFile: undefined,
  reason: undefined,
  byPattern: false,
  reconciliation: { rows: 20_000, found: 20_000, missing: 0 },
};

test("reports a complete, verified import", () => {
  expect(formatSummary(good, style)).toBe(`✓ Done in 1 min 34 s.

  19,880 imported  1.9 GB, 211/s, 20.5 MB/s
     120 already imported  not sent again
     300 agents created

✓ Verified: 20,000 of 20,000 rows are on the service.
Next: run \`hearback calls list\` to see the calls.
`);
});

test.each<[string, Partial<ImportSummary>, RegExp[]]>([
  [
    "failed rows and their file",
    { imported: 19_877, failed: 3, failuresFile: "failures.csv" },
    [
      /^! Done in .*, but 3 rows failed\.$/m,
      /^ +3 failed {2}listed in failures.csv$/m,
      /^Next: fix the rows .* import that file\.$/m,
    ],
  ],
  [
    "missing calls",
    { reconciliation: { rows: 20_000, found: 19_998, missing: 2 } },
    [
      /^✗ Done, but/m,
      /^✗ Verification failed: 19,998 of 20,000 rows are on the service, 2 are missing\.$/m,
      /only the missing calls\.$/m,
    ],
  ],
  [
    "a stop and how to resume",
    { ended: "stopped", imported: 5000, reconciliation: undefined },
    [/^! Stopped\./m, /^ +14,880 remaining$/m, /to resume\.$/m],
  ],
  [
    "why the import was aborted",
    { ended: "broken-off", reason: "The key was rejected.", reconciliation: undefined },
    [/^✗ Aborted\. The key was rejected\.$/m, /hearback doctor/],
  ],
  [
    "failed rows as the only missing ones",
    { imported: 19_877, failed: 3, reconciliation: { rows: 20_000, found: 19_997, missing: 0 } },
    [/^! Verified: 19,997 of 20,000 rows are on the service; the others failed\.$/m],
  ],
  [
    "that there was nothing to do",
    { imported: 0, present: 20_000 },
    [/^✓ Done\.$/m, /^ +0 imported$/m, /^Next: nothing to do;/m],
  ],
  ["a skipped verification", { reconciliation: undefined }, [/^! Not verified/m]],
])("reports %s", (_, change, expected) => {
  const text = formatSummary({ ...good, ...change }, style);
  for (const part of expected) expect(text).toMatch(part);
});
