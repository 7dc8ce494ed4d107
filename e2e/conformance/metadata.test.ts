import { describe, expect, test } from "vitest";
import { expectPartsNamed, expectProblem } from "../support/http/expect-problem.ts";
import { callParts, type Entry, importCall, postCall } from "../support/http/service.ts";
import { target } from "../support/stack/target.ts";

const entries = (count: number): Entry[] =>
  Array.from({ length: count }, (_, n) => ({ key: `key-${n}`, value: String(n) }));

async function expectStored(metadata: readonly Entry[]) {
  expect((await importCall(target, { metadata: JSON.stringify(metadata) })).metadata).toEqual(metadata);
}

describe("docs/integrating.md: metadata", () => {
  test("is a JSON array", async () => {
    await expectStored([]);
  });

  test('has entries with the string members "key" and "value"', async () => {
    await expectStored([{ key: "site", value: "Lyon" }]);
  });

  test("keys are free-form", async () => {
    await expectStored([
      { key: "client_phone", value: "+33612345678" },
      { key: "call_direction", value: "inbound" },
      { key: "site", value: "Lyon Part-Dieu" },
      { key: "direction", value: "in" },
    ]);
  });

  test("values are free-form", async () => {
    await expectStored([
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
  ["an array of strings", '["site"]'],
  ["a nested array", '[["site","Lyon"]]'],
  ["null as an entry", "[null]"],
  ["an entry without a value", '[{"key":"site"}]'],
  ["an entry without a key", '[{"value":"Lyon"}]'],
  ["an entry with a third member", '[{"key":"site","value":"Lyon","type":"text"}]'],
  ["a number as value", '[{"key":"site","value":5}]'],
  ["null as value", '[{"key":"site","value":null}]'],
  ["a number as key", '[{"key":5,"value":"Lyon"}]'],
  ["one invalid entry among valid ones", '[{"key":"a","value":"b"},{"key":"site","value":true}]'],
];

describe("docs/errors.md: fields_invalid, metadata", () => {
  test.each(wrong)("%s is 422", async (_, metadata) => {
    const problem = expectProblem(await postCall(target, callParts(target, { metadata })), 422, "fields_invalid");
    for (const error of problem.errors ?? []) expect(error.part).toMatch(/^metadata\b/);
    expect(problem.errors?.length).toBeGreaterThan(0);
  });

  test("keeps order and repeated keys", async () => {
    await expectStored([
      { key: "zebra", value: "1" },
      { key: "alpha", value: "2" },
      { key: "zebra", value: "3" },
      { key: "10", value: "4" },
      { key: "9", value: "5" },
      { key: "zebra", value: "1" },
    ]);
  });

  test("allows at most 100 entries", async () => {
    await expectStored(entries(100));
    const metadata = JSON.stringify(entries(101));
    expectProblem(await postCall(target, callParts(target, { metadata })), 422, "fields_invalid");
  });

  test("allows keys of 1 to 128 characters", async () => {
    await expectStored([
      { key: "k", value: "v" },
      { key: "k".repeat(128), value: "v" },
      { key: "é".repeat(128), value: "v" },
    ]);
    for (const key of ["", "k".repeat(129)]) {
      const metadata = JSON.stringify([{ key, value: "v" }]);
      expectProblem(await postCall(target, callParts(target, { metadata })), 422, "fields_invalid");
    }
  });

  test("allows values up to 1,024 characters", async () => {
    await expectStored([
      { key: "none", value: "" },
      { key: "most", value: "v".repeat(1024) },
      { key: "most bytes", value: "é".repeat(1024) },
    ]);
    const metadata = JSON.stringify([{ key: "more", value: "v".repeat(1025) }]);
    expectProblem(await postCall(target, callParts(target, { metadata })), 422, "fields_invalid");
  });

  test("allows 64 KiB in total", async () => {
    const padded = (length: number) => JSON.stringify(entries(3)).padEnd(length, " ");
    expect((await importCall(target, { metadata: padded(65_536) })).metadata).toEqual(entries(3));
    const answer = await postCall(target, callParts(target, { metadata: padded(65_537) }));
    // Both 422 and 413 are valid.
    expect([413, 422]).toContain(answer.status);
    expectProblem(answer, answer.status);
  });

  test("never sets the agent", async () => {
    const metadata = JSON.stringify([{ key: "agent_email", value: target.agentEmail }]);
    const answer = await postCall(target, callParts(target, { agent_email: undefined, metadata }));
    expectPartsNamed(expectProblem(answer, 400, "part_missing"), "agent_email");
  });
});
