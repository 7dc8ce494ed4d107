import { expect, test } from "vitest";
import { findInName, makeDirectory, parseFileName } from "./parse-file-name.ts";

const known = makeDirectory(
  [
    { email: "ann@example.com", name: "Ann Lee" },
    { email: "elise.durand@example.com", name: "Élise Durand" },
    { email: "jo.martin@example.com", name: "Jo Martin" },
    { email: "joe.martin@example.com", name: "Jo Martin" },
    { email: "1001@example.com", name: "Karim Benali" },
  ],
  [
    { id: "support-fr", name: "Support" },
    { id: "sales", name: "Sales, Nordics" },
  ],
);
const find = (path: string) => {
  const { agent, campaign, unknownEmail } = findInName(parseFileName(path), known);
  return [agent?.email, campaign?.id, unknownEmail];
};

test.each([
  ["2026-05-01_10-30-00_ann@example.com.wav", "ann@example.com"],
  ["2026-05-01_10-30-00-Ann@Example.com-0612345678.wav", "ann@example.com"],
  ["q600_elise.durand@example.com.mp3", "elise.durand@example.com"],
  ["20260501-103000-ann.wav", "ann@example.com"],
  ["elise_durand 20260501103000.wav", "elise.durand@example.com"],
  ["[Durand, Elise]_+33612345678_20260302091504(52).wav", "elise.durand@example.com"],
  ["1001/[]_1001-0033145678901_20260302100217(56).wav", "1001@example.com"],
  ["Ann Lee/2026-05-01 10.30.wav", "ann@example.com"],
])("%s belongs to agent %s", (path, email) => {
  expect(find(path)[0]).toBe(email);
});

test.each([
  ["no agent", "2026-05-01_10-30-00.wav"],
  ["one of two of the same name", "jo-martin-20260501103000.wav"],
  ["a part of a longer word", "annual-20260501103000.wav"],
  ["two people", "ann-1001-20260501103000.wav"],
])("finds no agent where the name means %s: %s", (_, path) => {
  expect(find(path)[0]).toBeUndefined();
});

test("the longer name wins", () => {
  expect(find("ann-elise.durand-20260501103000.wav")[0]).toBe("elise.durand@example.com");
});

test("reports an unknown email address and picks no other agent", () => {
  expect(find("ann/2026-05-01_10-30-00_bob@example.com.wav")).toEqual([undefined, undefined, "bob@example.com"]);
});

test.each([
  ["support-fr/2026-05-01_10-30-00_ann.wav", "support-fr"],
  ["recordings/Sales, Nordics/ann.wav", "sales"],
  ["sales_20260501103000.wav", "sales"],
  ["salesman_20260501103000.wav", undefined],
])("%s belongs to campaign %s", (path, id) => {
  expect(find(path)[1]).toBe(id);
});

test("reads the date from the folders", () => {
  expect(parseFileName("2026/05/01/10-30-00_ann.wav").time).toEqual({
    wall: { year: 2026, month: 5, day: 1, hour: 10, minute: 30, second: 0 },
  });
});
