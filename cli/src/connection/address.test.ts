import { expect, test } from "vitest";
import { readAddress } from "./address.ts";

test.each([
  ["https://hearback.example.com", "https://hearback.example.com"],
  ["hearback.example.com", "https://hearback.example.com"],
  [" HTTPS://Hearback.Example.com/ ", "https://hearback.example.com"],
  ["hearback.example.com:8443", "https://hearback.example.com:8443"],
  ["example.com/hearback//", "https://example.com/hearback"],
  ["127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["localhost:8080", "http://localhost:8080"],
  ["[::1]:8080", "http://[::1]:8080"],
  ["https://localhost:8443", "https://localhost:8443"],
])("%j is %s", (typed, url) => expect(readAddress(typed)).toEqual({ url, warning: undefined }));

test("warns of what can be read on the way", () => {
  expect(readAddress("http://hearback.example.com").warning).toMatch(/not encrypted/);
});

test.each([
  ["", "empty"],
  ["ftp://example.com", "neither https nor http"],
  ["https://ann:secret@example.com", "name or a password"],
  ["https://example.com?key=1", "does not belong"],
  ["https://exa mple.com", "cannot be read"],
])("refuses %j", (typed, reason) => {
  expect(() => readAddress(typed)).toThrow(reason);
  expect(() => readAddress(typed)).not.toThrow("secret");
});
