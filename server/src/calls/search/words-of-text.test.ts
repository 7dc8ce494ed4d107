import { expect, test } from "vitest";
import { termsOfSaid, wordsLanguage, wordsOfText } from "./words-of-text.ts";

test.each([
  ["I'd like to CANCEL my contract!", ["i", "d", "like", "to", "cancel", "my", "contract"]],
  ["résilié l’abonnement", ["resilie", "l", "abonnement"]],
  ["re\u0301silie\u0301", ["resilie"]],
  ["Straße, œuvre, Łódź", ["strasse", "oeuvre", "lodz"]],
  ["B2B 3.5 % 1e5", ["b", "2", "b", "3", "5", "1", "e", "5"]],
  ["解約したい", ["解", "約", "し", "た", "い"]],
  ["отменить договор", ["отменить", "договор"]],
  ["йод", ["йод"]],
  ["www.example.com/a?b=c ann@example.com", ["www", "example", "com", "a", "b", "c", "ann", "example", "com"]],
  ["…", []],
])("%s has the words %j", (text, words) => {
  expect(wordsOfText(text)).toEqual(words);
});

test.each([
  ["cancel contract", [["cancel"], ["contract"]]],
  ['"cancel my contract" now', [["cancel", "my", "contract"], ["now"]]],
  ["« résilier mon contrat »", [["resilier", "mon", "contrat"]]],
  ["“to be” or", [["to", "be"], ["or"]]],
  ['"without an end', [["without", "an", "end"]]],
  ["don't", [["don", "t"]]],
  ["now NOW", [["now"]]],
  ['""', []],
])("searching for %s, the terms are %j", (said, terms) => {
  expect(termsOfSaid(said)).toEqual(terms);
});

test.each([
  ["en", "en"],
  ["en-GB", "en"],
  ["pt_BR", "pt"],
  ["nb", "no"],
  ["ja", "simple"],
])("words in %s have the endings of %s", (language, known) => {
  expect(wordsLanguage(language)).toBe(known);
});
