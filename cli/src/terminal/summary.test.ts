import { expect, test } from "vitest";
import { openStyle } from "./style.ts";
import { type ImportSummary, tellSummary } from "./summary.ts";

const style = openStyle({ write: () => true }, {});
const good: ImportSummary = {
  ...{ ended: "done", total: 20_000, imported: 19_880, present: 120, failed: 0, erased: 0, agentsCreated: 300 },
  ...{ sentBytes: 1_928_360_000, durationMs: 94_000, failuresFile: undefined, reason: undefined },
  proof: { rows: 20_000, found: 20_000, missing: 0 },
};

test("says that all is well, with the proof", () => {
  expect(tellSummary(good, style)).toBe(`✓ Done in 1 min 34 s.

  19,880 imported  1.9 GB, 211/s, 20.5 MB/s
     120 there already  not sent again
     300 agents created

✓ Proof: 20,000 of 20,000 rows are on the service.
Next: look at them with \`hearback calls list\`.
`);
});

test.each<[string, Partial<ImportSummary>, RegExp[]]>([
  [
    "rows that failed, and where they are",
    { imported: 19_877, failed: 3, failuresFile: "failures.csv" },
    [
      /^! Done in .*, but 3 rows failed\.$/m,
      /^ +3 failed {2}named in failures.csv$/m,
      /^Next: mend .* then import failures.csv\.$/m,
    ],
  ],
  [
    "a difference",
    { proof: { rows: 20_000, found: 19_998, missing: 2 } },
    [
      /^✗ Done, but/m,
      /^✗ Proof: 19,998 of 20,000 rows are on the service, 2 that should be there are missing\.$/m,
      /only what is missing\.$/m,
    ],
  ],
  [
    "that it was stopped, and how it goes on",
    { ended: "stopped", imported: 5000, proof: undefined },
    [/^! Stopped\./m, /^ +14,880 not yet$/m, /continues where it stopped\.$/m],
  ],
  [
    "why it was broken off",
    { ended: "broken-off", reason: "The key is refused.", proof: undefined },
    [/^✗ Broken off\. The key is refused\.$/m, /hearback doctor/],
  ],
  [
    "that what is not there failed",
    { imported: 19_877, failed: 3, proof: { rows: 20_000, found: 19_997, missing: 0 } },
    [/^! Proof: 19,997 of 20,000 rows are on the service; the others failed\.$/m],
  ],
  [
    "that nothing was to be done",
    { imported: 0, present: 20_000 },
    [/^✓ Done\.$/m, /^ +0 imported$/m, /^Next: nothing;/m],
  ],
  ["that it is not proven", { proof: undefined }, [/^! Not proven/m]],
])("says %s", (_, change, expected) => {
  const said = tellSummary({ ...good, ...change }, style);
  for (const part of expected) expect(said).toMatch(part);
});
