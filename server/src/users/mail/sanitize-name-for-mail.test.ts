import { expect, test } from "vitest";
import { sanitizeNameForMail } from "./sanitize-name-for-mail.ts";

test.each([
  ["Ann Lee", "Ann Lee"],
  ["J.R. O'Neil-Şahin", "J. R. O'Neil-Şahin"],
  ["Dr. Who", "Dr. Who"],
  ["Your account is locked: https://evil.test/login?id=1", "Your account is locked https evil. test login id 1"],
  ["www.evil.test", "www. evil. test"],
  ["ｅｖｉｌ．ｔｅｓｔ", "evil. test"],
  ["evil。test", "evil. test"],
  ["ev\u200bil.te\u00adst", "evil. test"],
  ["bob@evil.test", "bob evil. test"],
  ["a\r\nBcc: x", "a Bcc x"],
  ["x".repeat(200), "x".repeat(100)],
])("%j becomes %j", (name, mailed) => {
  expect(sanitizeNameForMail(name)).toBe(mailed);
});
