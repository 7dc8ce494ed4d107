import { expect, test } from "vitest";
import { parseAddress } from "./address.ts";

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
])("%j is %s", (typed, url) => expect(parseAddress(typed)).toEqual({ url, warning: undefined }));

test("warns about an unencrypted connection", () => {
  expect(parseAddress("http://hearback.example.com").warning).toMatch(/not encrypted/);
});

test.each([
  ["", "empty"],
  ["ftp://example.com", "must be https or http"],
  ["https://ann:secret@example.com", "user name or password"],
  ["https://example.com?key=1", "remove"],
  ["https://exa mple.com", "is not a valid URL"],
])("rejects %j", (typed, reason) => {
  expect(() => parseAddress(typed)).toThrow(reason);
  expect(() => parseAddress(typed)).not.toThrow("secret");
});
