import { expect, test } from "vitest";
import { maxPeople, parsePeople } from "./parse-people.ts";

const ann = { line: 1, email: "ann@example.com", name: "Ann Lee" };

test.each([
  ["Ann Lee <ann@example.com>"],
  ['"Ann Lee" <ann@example.com>,'],
  ["Ann Lee, ann@example.com"],
  ["ann@example.com;Ann Lee"],
  ["ann@example.com\tAnn\tLee"],
  ['"Ann Lee","ann@example.com"'],
  ["  ann@example.com ,, Ann Lee  "],
])("%j is parsed", (text) => {
  expect(parsePeople(text)).toEqual({ people: [ann], wrong: [] });
});

test.each([
  ["ann.marie-lee@example.com", "Ann Marie Lee"],
  ["_@example.com", "_@example.com"],
  ['"Lee, Ann",ann@example.com', "Lee, Ann"],
  ['"Ann ""The Voice"" Lee",ann@example.com', 'Ann "The Voice" Lee'],
])("%j has the name %j", (text, name) => {
  expect(parsePeople(text).people).toMatchObject([{ name }]);
});

test("skips headings and empty lines, and keeps line numbers", () => {
  const { people, wrong } = parsePeople("name;email\r\n\r\nBob Roy;bob@example.com\r\nnobody\r\nB <BOB@example.com>\n");
  expect(people).toEqual([{ line: 3, email: "bob@example.com", name: "Bob Roy" }]);
  expect(wrong).toEqual([
    { line: 4, text: "nobody", why: "noEmail" },
    { line: 5, text: "B <BOB@example.com>", why: "twice" },
  ]);
});

test("reports lines that are too long or too many", () => {
  expect(parsePeople(`${"x".repeat(201)}, x@example.com`).wrong).toMatchObject([{ why: "tooLong" }]);
  const many = Array.from({ length: maxPeople + 2 }, (_, n) => `p${n}@example.com`).join("\n");
  const { people, wrong } = parsePeople(many);
  expect([people.length, wrong.map(({ why }) => why)]).toEqual([maxPeople, ["tooMany", "tooMany"]]);
});
