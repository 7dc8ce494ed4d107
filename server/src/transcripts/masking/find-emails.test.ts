import { expect, test } from "vitest";
import { customer, wordsOf } from "../../testing/spoken-words.ts";
import { findEmails } from "./find-emails.ts";
import type { SpokenWord } from "./tokens.ts";

const found = (words: readonly SpokenWord[]) => {
  const indexes = findEmails(words);
  return words
    .filter((_, index) => indexes.has(index))
    .map(({ text }) => text)
    .join(" ");
};

test.each([
  ["write to jane@example.com, please", "jane@example.com,"],
  ["write to jane@example", ""],
  ["jane dot doe at example dot com thanks", "jane dot doe at example dot com"],
  ["it is jane at example dot com", "jane at example dot com"],
  ["so it is j a n e at example dot com", "j a n e at example dot com"],
  ["jean tiret paul arobase exemple point fr voilà", "jean tiret paul arobase exemple point fr"],
  ["jane underscore doe at mail dot example dot", "jane underscore doe at mail dot example"],
  // At the beginning and at the end of what was said.
  ["at example dot com", "at example dot com"],
  ["jane at example dot", "jane at example dot"],
  // The dot is directly after it, or six words after it; not further.
  ["jane at dot com", "jane at dot com"],
  ["jane at one two three four five dot com", "jane at one two three four five dot com"],
  ["jane at one two three four five six dot com", ""],
  ["see you at nine then", ""],
  ["dot com is what I look at now", ""],
])("%s", (text, expected) => {
  expect(found(customer(text))).toBe(expected);
});

test("at most 24 words are the name, and only those of the side that says it", () => {
  expect(found(customer(`${"a ".repeat(40)}at example dot com`)).split(" ")).toHaveLength(24 + 4);
  const interrupted = wordsOf([
    { side: "customer", text: "jane at" },
    { side: "agent", text: "yes" },
    { side: "customer", text: "example dot com" },
  ]);
  expect(found(interrupted)).toBe("jane at example dot com");
});
