import { expect, test } from "vitest";
import { makeKnown, readName } from "./read-name.ts";
import { type Choices, type Given, type Item, settleRow } from "./settle-row.ts";

const known = makeKnown(
  [
    { email: "ann@example.com", name: "Ann Lee" },
    { email: "bob@example.com", name: "Bob Ray" },
  ],
  [
    { id: "support-fr", name: "Support" },
    { id: "sales", name: "Sales" },
  ],
);
const nothing: Choices = {
  ...{ zone: "Europe/Paris", agentEmail: undefined, campaignId: undefined, fileTime: false, metadata: [] },
};
const changedAt = new Date("2026-06-01T00:00:00Z");
const anItem = (path: string, given: Given = {}): Item => ({
  ...{ id: 1, path, given, parts: readName(path) },
  file: new File([], path, { lastModified: changedAt.getTime() }),
});
const settle = (path: string, choices: Partial<Choices> = {}, given: Given = {}) => {
  const { agent, campaign, at, missing } = settleRow(anItem(path, given), {
    known,
    choices: { ...nothing, ...choices },
  });
  return [agent?.email, campaign?.id, at?.toISOString(), ...missing];
};

test("the name says it all", () => {
  const whole = ["ann@example.com", "sales", "2026-05-01T08:30:00.000Z"];
  expect(settle("sales/2026-05-01_10-30-00_ann@example.com.wav")).toEqual(whole);
  // What holds for all is for those whose names do not say it.
  const choices = { agentEmail: "bob@example.com", campaignId: "support-fr", fileTime: true };
  expect(settle("sales/2026-05-01_10-30-00_ann@example.com.wav", choices)).toEqual(whole);
});

test("what the name does not say holds for all, or is missing", () => {
  const choices = { agentEmail: "bob@example.com", campaignId: "support-fr" };
  expect(settle("a.wav", choices)).toEqual(["bob@example.com", "support-fr", undefined, "time"]);
  expect(settle("a.wav")).toEqual([undefined, undefined, undefined, "agent", "campaign", "time"]);
});

test("when the file was changed counts only if somebody says so", () => {
  expect(settle("ann-sales.wav", { fileTime: true })).toEqual(["ann@example.com", "sales", changedAt.toISOString()]);
  expect(settle("ann-sales.wav", {}, { fileTime: true })[2]).toBe(changedAt.toISOString());
});

test("what somebody says of one file counts more than its name", () => {
  const at = new Date("2026-05-02T00:00:00Z");
  const given = { agentEmail: "bob@example.com", campaignId: "support-fr", at };
  expect(settle("sales/2026-05-01_10-30-00_ann.wav", {}, given)).toEqual([
    ...["bob@example.com", "support-fr", at.toISOString()],
  ]);
});

test("nobody is taken for an agent whom the name calls by another address", () => {
  const choices = { agentEmail: "bob@example.com", campaignId: "sales" };
  const strange = "2026-05-01_10-30-00_zoe@example.com.wav";
  expect(settle(strange, choices)).toEqual([undefined, "sales", "2026-05-01T08:30:00.000Z", "agent_unknown"]);
  expect(settle(strange, choices, { agentEmail: "bob@example.com" })[0]).toBe("bob@example.com");
});

test.each([
  ["2026-10-25_02-30-00", "Europe/Paris", "time_twice"],
  ["2026-03-29_02-30-00", "Europe/Paris", "time_never"],
  ["2026-10-25_02-30-00", "UTC", undefined],
  ["2099-01-01_00-00-00", "UTC", "time_ahead"],
])("a time that is not one moment is not guessed: %s in %s is %s", (name, zone, missing) => {
  expect(settle(`ann-sales ${name}.wav`, { zone })[3]).toBe(missing);
});
