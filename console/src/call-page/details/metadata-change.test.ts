import { expect, test } from "vitest";
import { changedEntries, metadataChange } from "./metadata-change.ts";

const entry = (key: string, value: string) => ({ key, value });
const before = [entry("site", "Lyon"), entry("tag", "vip"), entry("tag", "late")];

test.each([
  ["no change", before, undefined],
  [
    "another value",
    [entry("site", "Paris"), ...before.slice(1)],
    { remove: [{ key: "site" }], add: [entry("site", "Paris")] },
  ],
  [
    "one of two entries with the same key",
    before.slice(0, 2),
    { remove: [{ key: "tag" }], add: [entry("tag", "vip")] },
  ],
  ["a new key", [...before, entry("queue", "a")], { add: [entry("queue", "a")] }],
  ["everything removed", [], { remove: [{ key: "site" }, { key: "tag" }] }],
  [
    "another key",
    [entry("place", "Lyon"), ...before.slice(1)],
    { remove: [{ key: "site" }], add: [entry("place", "Lyon")] },
  ],
])("builds the request for %s", (_, after, change) => {
  expect(metadataChange(before, after)).toEqual(change);
});

test("finds removed and added entries", () => {
  expect(changedEntries(before, [entry("tag", "vip"), entry("tag", "vip")])).toEqual({
    removed: [entry("site", "Lyon"), entry("tag", "late")],
    added: [entry("tag", "vip")],
  });
});
