import { describe, expect, test } from "vitest";
import { expectPartsNamed, expectProblem } from "../support/expect-problem.ts";
import { callParts, type Entry, importCall, postCall } from "../support/service.ts";
import { target } from "../support/target.ts";

const entries = (count: number): Entry[] =>
  Array.from({ length: count }, (_, n) => ({ key: `key-${n}`, value: String(n) }));

async function expectKept(metadata: readonly Entry[]) {
  expect((await importCall(target, { metadata: JSON.stringify(metadata) })).metadata).toEqual(metadata);
}

describe("seed-interface: Metadata format", () => {
  test("The value is a JSON array", async () => {
    await expectKept([]);
  });

  test('Each element is an object with exactly two members: "key" (string) and "value" (string)', async () => {
    await expectKept([{ key: "site", value: "Lyon" }]);
  });

  test("The metadata keys are free-form. Shown key names are client_phone, call_direction, site and direction", async () => {
    await expectKept([
      { key: "client_phone", value: "+33612345678" },
      { key: "call_direction", value: "inbound" },
      { key: "site", value: "Lyon Part-Dieu" },
      { key: "direction", value: "in" },
    ]);
  });

  test("None of these is a fixed list of allowed values", async () => {
    await expectKept([
      { key: "client_phone", value: "withheld" },
      { key: "call_direction", value: "sideways" },
      { key: "Ünïcode ☎ key", value: '値 \u{1f4de} "quoted" \\ \n\ttab' },
      { key: "constructor", value: "__proto__" },
      { key: "__proto__", value: "null" },
    ]);
  });
});

const wrong: [string, string][] = [
  ["no JSON", "site=Lyon"],
  ["broken JSON", '[{"key":"site","value":"Lyon"}'],
  ["nothing", ""],
  ["an object", '{"key":"site","value":"Lyon"}'],
  ["a plain object", '{"site":"Lyon"}'],
  ["null", "null"],
  ["a text", '"site"'],
  ["an array of texts", '["site"]'],
  ["an array in an array", '[["site","Lyon"]]'],
  ["null as an entry", "[null]"],
  ["an entry without value", '[{"key":"site"}]'],
  ["an entry without key", '[{"value":"Lyon"}]'],
  ["an entry with a third member", '[{"key":"site","value":"Lyon","type":"text"}]'],
  ["a number as value", '[{"key":"site","value":5}]'],
  ["null as value", '[{"key":"site","value":null}]'],
  ["a number as key", '[{"key":5,"value":"Lyon"}]'],
  ["one wrong entry among good ones", '[{"key":"a","value":"b"},{"key":"site","value":true}]'],
];

describe("interface: POST /calls/audio, metadata", () => {
  test.each(wrong)(
    "an array of objects with exactly the string members key and value: %s is 422",
    async (_, metadata) => {
      const problem = expectProblem(await postCall(target, callParts(target, { metadata })), 422, "fields_invalid");
      for (const error of problem.errors ?? []) expect(error.part).toMatch(/^metadata\b/);
      expect(problem.errors?.length).toBeGreaterThan(0);
    },
  );

  test("Order and repeated keys are kept", async () => {
    await expectKept([
      { key: "zebra", value: "1" },
      { key: "alpha", value: "2" },
      { key: "zebra", value: "3" },
      { key: "10", value: "4" },
      { key: "9", value: "5" },
      { key: "zebra", value: "1" },
    ]);
  });

  test("At most 100 entries", async () => {
    await expectKept(entries(100));
    const metadata = JSON.stringify(entries(101));
    expectProblem(await postCall(target, callParts(target, { metadata })), 422, "fields_invalid");
  });

  test("key 1 to 128 characters", async () => {
    await expectKept([
      { key: "k", value: "v" },
      { key: "k".repeat(128), value: "v" },
      { key: "é".repeat(128), value: "v" },
    ]);
    for (const key of ["", "k".repeat(129)]) {
      const metadata = JSON.stringify([{ key, value: "v" }]);
      expectProblem(await postCall(target, callParts(target, { metadata })), 422, "fields_invalid");
    }
  });

  test("value up to 1,024", async () => {
    await expectKept([
      { key: "none", value: "" },
      { key: "most", value: "v".repeat(1024) },
      { key: "most bytes", value: "é".repeat(1024) },
    ]);
    const metadata = JSON.stringify([{ key: "more", value: "v".repeat(1025) }]);
    expectProblem(await postCall(target, callParts(target, { metadata })), 422, "fields_invalid");
  });

  test("the whole part 64 KiB", async () => {
    const padded = (length: number) => JSON.stringify(entries(3)).padEnd(length, " ");
    expect((await importCall(target, { metadata: padded(65_536) })).metadata).toEqual(entries(3));
    const answer = await postCall(target, callParts(target, { metadata: padded(65_537) }));
    // A wrong value (422) and "larger than the limit" (413) are both good readings of the table.
    expect([413, 422]).toContain(answer.status);
    expectProblem(answer, answer.status);
  });

  test("The agent is never taken from it", async () => {
    const metadata = JSON.stringify([{ key: "agent_email", value: target.agentEmail }]);
    const answer = await postCall(target, callParts(target, { agent_email: undefined, metadata }));
    expectPartsNamed(expectProblem(answer, 400, "part_missing"), "agent_email");
  });
});
