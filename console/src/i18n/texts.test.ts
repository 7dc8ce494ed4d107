import { expect, test } from "vitest";
import { en } from "./en.ts";
import { fr } from "./fr.ts";
import { makeTexts } from "./texts.ts";

const folders = Object.keys(en) as (keyof typeof en)[];
const values = (text: string) => (text.match(/{{[^}]*}}/g) ?? []).sort();

test("both languages have the same folders", () => {
  expect(Object.keys(fr)).toEqual(Object.keys(en));
});

test.each(folders)("%s says the same in English and French", (folder) => {
  const english: Record<string, string> = en[folder];
  const french: Record<string, string> = fr[folder];
  // French has a form for millions, which English does not have.
  const plurals = Object.keys(english).filter((key) => key.endsWith("_other"));
  const many = plurals.map((key) => key.replace(/_other$/, "_many"));
  expect(Object.keys(french).sort()).toEqual([...Object.keys(english), ...many].sort());
  for (const [key, text] of Object.entries(english))
    expect([key, values(french[key] ?? "")]).toEqual([key, values(text)]);
  for (const [key, text] of Object.entries(french)) expect(text, key).not.toBe("");
});

const texts = (language: "en" | "fr") =>
  makeTexts(language, {
    ui: {
      calls_one: "{{count, number}} call",
      calls_other: "{{count, number}} calls",
      calls_many: "{{count}} d'appels",
      by: "by {{who}}",
    },
  });

test.each([
  ["en", 1, "1 call"],
  ["en", 0, "0 calls"],
  ["en", 12_345, "12,345 calls"],
  ["fr", 0, "0 call"],
  ["fr", 12_345, "12\u202f345 calls"],
  ["fr", 1_000_000, "1000000 d'appels"],
] as const)("in %s, %d has its form", (language, count, said) => {
  expect(texts(language).find("ui", "calls", { count })).toBe(said);
});

test("values stand as they are, whatever is in them", () => {
  expect(texts("en").find("ui", "by", { who: "{{count}} $& <b>" })).toBe("by {{count}} $& <b>");
  expect(texts("en").find("ui", "by")).toBe("by ");
});

test("what nobody wrote is absent", () => {
  for (const key of ["none", "toString", "__proto__"])
    expect(texts("en").find("ui", key, { count: 1 })).toBeUndefined();
});
