import { expect, test } from "vitest";
import { makeDirectory, parseFileName } from "../names/parse-file-name.ts";
import { type Defaults, type Item, type Overrides, resolveRow } from "./resolve-row.ts";

const known = makeDirectory(
  [
    { email: "ann@example.com", name: "Ann Lee" },
    { email: "bob@example.com", name: "Bob Ray" },
  ],
  [
    { id: "support-fr", name: "Support" },
    { id: "sales", name: "Sales" },
  ],
);
const nothing: Defaults = {
  zone: "Europe/Paris",
  agentEmail: undefined,
  campaignId: undefined,
  fileTime: false,
  metadata: [],
};
const changedAt = new Date("2026-06-01T00:00:00Z");
const anItem = (path: string, overrides: Overrides = {}): Item => ({
  id: 1,
  path,
  overrides,
  parts: parseFileName(path),
  file: new File([], path, { lastModified: changedAt.getTime() }),
});
const resolve = (path: string, defaults: Partial<Defaults> = {}, overrides: Overrides = {}) => {
  const { agent, campaign, at, missing } = resolveRow(anItem(path, overrides), {
    known,
    defaults: { ...nothing, ...defaults },
  });
  return [agent?.email, campaign?.id, at?.toISOString(), ...missing];
};

test("resolves everything from the name", () => {
  const whole = ["ann@example.com", "sales", "2026-05-01T08:30:00.000Z"];
  expect(resolve("sales/2026-05-01_10-30-00_ann@example.com.wav")).toEqual(whole);
  // Defaults apply only where the name has no value.
  const defaults = { agentEmail: "bob@example.com", campaignId: "support-fr", fileTime: true };
  expect(resolve("sales/2026-05-01_10-30-00_ann@example.com.wav", defaults)).toEqual(whole);
});

test("uses defaults, or reports missing values", () => {
  const defaults = { agentEmail: "bob@example.com", campaignId: "support-fr" };
  expect(resolve("a.wav", defaults)).toEqual(["bob@example.com", "support-fr", undefined, "time"]);
  expect(resolve("a.wav")).toEqual([undefined, undefined, undefined, "agent", "campaign", "time"]);
});

test("uses the modification time only if enabled", () => {
  expect(resolve("ann-sales.wav", { fileTime: true })).toEqual(["ann@example.com", "sales", changedAt.toISOString()]);
  expect(resolve("ann-sales.wav", {}, { fileTime: true })[2]).toBe(changedAt.toISOString());
});

test("the user's values override the name", () => {
  const at = new Date("2026-05-02T00:00:00Z");
  const overrides = { agentEmail: "bob@example.com", campaignId: "support-fr", at };
  expect(resolve("sales/2026-05-01_10-30-00_ann.wav", {}, overrides)).toEqual([
    ...["bob@example.com", "support-fr", at.toISOString()],
  ]);
});

test("does not use the default agent for an unknown email address", () => {
  const defaults = { agentEmail: "bob@example.com", campaignId: "sales" };
  const strange = "2026-05-01_10-30-00_zoe@example.com.wav";
  expect(resolve(strange, defaults)).toEqual([undefined, "sales", "2026-05-01T08:30:00.000Z", "agent_unknown"]);
  expect(resolve(strange, defaults, { agentEmail: "bob@example.com" })[0]).toBe("bob@example.com");
});

test.each([
  ["2026-10-25_02-30-00", "Europe/Paris", "time_twice"],
  ["2026-03-29_02-30-00", "Europe/Paris", "time_never"],
  ["2026-10-25_02-30-00", "UTC", undefined],
  ["2099-01-01_00-00-00", "UTC", "time_ahead"],
])("does not guess ambiguous times: %s in %s is %s", (name, zone, missing) => {
  expect(resolve(`ann-sales ${name}.wav`, { zone })[3]).toBe(missing);
});

test("the phone number in the name becomes metadata of the call", () => {
  const metadataOf = (path: string, metadata: Defaults["metadata"] = [], overrides: Overrides = {}) =>
    resolveRow(anItem(path, overrides), { known, defaults: { ...nothing, metadata } }).metadata;
  const site = { key: "site", value: "Lyon" };
  const phone = (value: string) => ({ key: "client_phone", value });
  expect(metadataOf("ann-0612345678.wav", [site])).toEqual([phone("0612345678"), site]);
  expect(metadataOf("ann-0612345678.wav", [phone("1")])).toEqual([phone("0612345678")]);
  expect(metadataOf("ann-0612345678.wav", [], { phone: "+33612345678" })).toEqual([phone("+33612345678")]);
  expect(metadataOf("ann-0612345678.wav", [site], { phone: "" })).toEqual([site]);
  expect(metadataOf("ann.wav", [phone("1")])).toEqual([phone("1")]);
});
