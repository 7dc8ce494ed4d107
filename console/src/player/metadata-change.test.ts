import { expect, test } from "vitest";
import { changedEntries, metadataChange } from "./metadata-change.ts";

const entry = (key: string, value: string) => ({ key, value });
const before = [entry("site", "Lyon"), entry("tag", "vip"), entry("tag", "late")];

test.each([
  ["nothing", before, undefined],
  [
    "another value",
    [entry("site", "Paris"), ...before.slice(1)],
    { remove: [{ key: "site" }], add: [entry("site", "Paris")] },
  ],
  ["one of two alike", before.slice(0, 2), { remove: [{ key: "tag" }], add: [entry("tag", "vip")] }],
  ["a new key", [...before, entry("queue", "a")], { add: [entry("queue", "a")] }],
  ["all of it gone", [], { remove: [{ key: "site" }, { key: "tag" }] }],
  [
    "another name",
    [entry("place", "Lyon"), ...before.slice(1)],
    { remove: [{ key: "site" }], add: [entry("place", "Lyon")] },
  ],
])("what is sent for %s", (_, after, change) => {
  expect(metadataChange(before, after)).toEqual(change);
});

test("what went and what came", () => {
  expect(changedEntries(before, [entry("tag", "vip"), entry("tag", "vip")])).toEqual({
    removed: [entry("site", "Lyon"), entry("tag", "late")],
    added: [entry("tag", "vip")],
  });
});
