import { expect, test } from "vitest";
import { normalizeText } from "./normalize-text.ts";

test.each([
  ["Card 4929", "card 4929"],
  ["ÉTÉ, Œuvre", "ete, oeuvre"],
  ["4\u200b9\u00ad2é", "492e"],
  // Arabic, Persian, Hindi, full-width, mathematical and superscript digits.
  ["٠١٢٣٤٥٦٧٨٩", "0123456789"],
  ["۰۱۲۳۴۵۶۷۸۹", "0123456789"],
  ["०१२३४५६७८९", "0123456789"],
  ["０１２３４５６７８９", "0123456789"],
  ["𝟎𝟏𝟗 𝟘𝟙𝟡", "019 019"],
  ["⁴⁹²⁹", "4929"],
  // Circled: what Unicode decomposes, and what it does not.
  ["④⑨②⑨", "4929"],
  ["❶❷❸❹❺❻❼❽❾⓿", "1234567890"],
  ["➀➁➂➃➄➅➆➇➈", "123456789"],
  ["➊➋➌➍➎➏➐➑➒🄋🄌", "12345678900"],
  ["⓵⓶⓷⓸⓹⓺⓻⓼⓽", "123456789"],
  // Chinese and Japanese: four and more.
  ["〇一二三四五六七八九", "0123456789"],
  ["零幺零幺", "0101"],
  ["一二三", "一二三"],
])("%s is read as %s", (text, expected) => {
  expect(normalizeText(text)).toBe(expected);
  // The second time from the cache of digits.
  expect(normalizeText(text)).toBe(expected);
});
