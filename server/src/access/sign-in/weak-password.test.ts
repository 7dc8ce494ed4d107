import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { weaknessOf } from "./weak-password.ts";

const about = ["Ann Lee", "ann.lee@example.com", "Acme Support"];

test.each([
  ["aaaaaaaaaaaa", "password_repeated"],
  ["abababababab", "password_repeated"],
  ["correcthorsecorrecthorse", "password_repeated"],
  ["111111111111", "password_repeated"],
  ["abcdefghijkl", "password_sequential"],
  ["123456789012", "password_sequential"],
  ["qwertyuiop12", "password_sequential"],
  ["lkjhgfdsa987", "password_sequential"],
  ["azertyuiop123", "password_sequential"],
  ["aaaabbbbccccdddd", "password_repeated"],
  ["password1234", "password_common"],
  ["Password2026!", "password_common"],
  ["P@ssw0rd1234", "password_common"],
  ["123456dragon", "password_common"],
  ["passwordpassword!", "password_common"],
  ["1qaz2wsx3edc", "password_common"],
  ["iloveyou123456", "password_common"],
  ["ann.lee@example.com", "password_personal"],
  ["annlee123456", "password_personal"],
  ["Hearback2026!", "password_personal"],
  ["acme support 1", "password_personal"],
  ["example.com-ann", "password_personal"],
])("%s is rejected: %s", (password, weakness) => {
  expect(weaknessOf(password, about)).toBe(weakness);
});

test.each([
  ...["correct horse battery", "a different horse", "violet train under a bridge", "correct horse battery, new"],
  ...[
    "Ann's violet bicycle sings",
    "tR8#kq2!vLz9",
    "0f5c9d524a0b4a86",
    "Ünïcödé für alle",
    "七つの海を渡る風の歌声と鳥",
  ],
])("%s is accepted", (password) => {
  expect(weaknessOf(password, about)).toBeUndefined();
});

describe("the 10,000 most common passwords", () => {
  const words = readFileSync(join(import.meta.dirname, "data/common-passwords.txt"), "utf8")
    .trimEnd()
    .split("\n");
  test("are rejected as they are, in capitals and with digits appended", () => {
    expect(words.length).toBeGreaterThanOrEqual(10_000);
    const accepted = words.flatMap((word) =>
      [word, word.toUpperCase(), ...(/^\p{L}{3,}$/u.test(word) ? [`${word}2026`] : [])].filter(
        (password) => password.length >= 12 && weaknessOf(password, about) === undefined,
      ),
    );
    expect(accepted).toEqual([]);
  });
});
