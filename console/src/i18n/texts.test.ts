import { expect, test } from "vitest";
import { makeFindText, type Texts } from "./fill-text.ts";

const english = import.meta.glob<Texts>("../**/en.json", { eager: true, import: "default" });
const french = import.meta.glob<Texts>("../**/fr.json", { eager: true, import: "default" });
const folders = Object.keys(english).map((path) => path.slice("../".length, -"/en.json".length));
const values = (text: string) => (text.match(/{{[^}]*}}/g) ?? []).sort();

test("every folder has both languages", () => {
  expect(folders.length).toBeGreaterThan(10);
  const inFrench = Object.keys(french).map((path) => path.slice("../".length, -"/fr.json".length));
  expect(inFrench.sort()).toEqual(folders.toSorted());
});

test.each(folders)("%s has the same keys and placeholders in both languages", (folder) => {
  const en = english[`../${folder}/en.json`] ?? {};
  const fr = french[`../${folder}/fr.json`] ?? {};
  // French has a plural form for millions.
  const plurals = Object.keys(en).filter((key) => key.endsWith("_other"));
  const many = plurals.map((key) => key.replace(/_other$/, "_many"));
  expect(Object.keys(fr).sort()).toEqual([...Object.keys(en), ...many].sort());
  for (const [key, text] of Object.entries(en)) expect([key, values(fr[key] ?? "")]).toEqual([key, values(text)]);
  for (const [key, text] of Object.entries({ ...en, ...fr })) expect(text, key).not.toBe("");
});

test.each(folders)("the French of %s has non-breaking spaces and typographic apostrophes", (folder) => {
  for (const [key, text] of Object.entries(french[`../${folder}/fr.json`] ?? {}))
    expect([key, text.match(/ [:;?!»%]|« |\d \d|'/g)]).toEqual([key, null]);
});

const find = (language: "en" | "fr") =>
  makeFindText(language, {
    calls_one: "{{count, number}} call",
    calls_other: "{{count, number}} calls",
    calls_many: "{{count}} d'appels",
    by: "by {{who}}",
  });

test.each([
  ["en", 1, "1 call"],
  ["en", 0, "0 calls"],
  ["en", 12_345, "12,345 calls"],
  ["fr", 0, "0 call"],
  ["fr", 12_345, "12\u202f345 calls"],
  ["fr", 1_000_000, "1000000 d'appels"],
] as const)("in %s, %d uses the right plural form", (language, count, said) => {
  expect(find(language)("calls", { count })).toBe(said);
});

test("inserts values literally", () => {
  expect(find("en")("by", { who: "{{count}} $& <b>" })).toBe("by {{count}} $& <b>");
  expect(find("en")("by")).toBe("by ");
});

test("unknown keys are undefined", () => {
  for (const key of ["none", "toString", "__proto__"]) expect(find("en")(key, { count: 1 })).toBeUndefined();
});
