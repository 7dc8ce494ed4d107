import { expect, test } from "vitest";
import { parseFileName } from "./parse-file-name.ts";

test.each([
  ["[Lee, Ann]_+33612345678_20260501103000(52).wav", "+33612345678"],
  ["q-600-0612345678-20260501-103000-1777624200.12.wav", "0612345678"],
  ["1001/[]_1001-0033145678901_20260302100217(56).wav", "0033145678901"],
  ["2026-05-01_10-30-00-Ann@Example.com-0612345678.wav", "0612345678"],
])("%s has the phone number %s", (path, phone) => {
  expect(parseFileName(path).phone).toBe(phone);
});

test.each([
  ["no number", "2026-05-01_10-30-00_ann@example.com.wav"],
  ["an email address of digits", "2026-05-01_10-30-00_0612345678@example.com.wav"],
  ["two numbers", "0612345678-0698765432-20260501-103000.wav"],
  ["a counter", "000000123456-20260501-103000.wav"],
  ["an extension", "20260501-103000-1001.wav"],
  ["a part of an id", "a0612345678-20260501-103000.wav"],
  ["a folder", "0612345678/20260501-103000.wav"],
])("reads no phone number from %s: %s", (_, path) => {
  expect(parseFileName(path).phone).toBeUndefined();
});
