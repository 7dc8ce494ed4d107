import { expect, test } from "vitest";
import { parseDisposition } from "./content-disposition.ts";

test.each([
  ['form-data; name="file"; filename="call.wav"', { name: "file", isFile: true }],
  ['form-data; name="file"; filename="通话录音 ☎.wav"', { name: "file", isFile: true }],
  ['form-data; name="file"; filename=""', { name: "file", isFile: true }],
  ["form-data; name=file; filename=a.wav", { name: "file", isFile: true }],
  ["form-data; name=\"file\"; filename*=UTF-8''%e2%98%8e.wav", { name: "file", isFile: true }],
  ['form-data; filename="a; name=\\"metadata\\"; b"; name="file"', { name: "file", isFile: true }],
  ['Form-Data ; NAME="a b"', { name: "a b", isFile: false }],
  ['form-data; name="metadata";', { name: "metadata", isFile: false }],
  ["form-data", { name: undefined, isFile: false }],
])("%s", (header, expected) => {
  expect(parseDisposition(header)).toEqual(expected);
});

test.each([
  undefined,
  "",
  "attachment; name=a",
  "form-data; name",
  'form-data; name="a',
  "form-dataname=a",
  ["form-data"],
])("%j is not a form part", (header) => {
  expect(parseDisposition(header)).toBeUndefined();
});
