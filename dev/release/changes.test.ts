import { expect, test } from "vitest";
import { addVersion, parseChange } from "./changes.ts";

const changes = ["fixed\nA search ends.\n", "added\nTags.\nSee the docs.\n", "fixed\nA list begins.\n"].map((text) =>
  parseChange("changes/a-name.md", text),
);
const lists = `
### Added

- Tags.
  See the docs.

### Fixed

- A search ends.
- A list begins.
`;

test.each([
  ["the section Unreleased", "# Changelog\n\n## Unreleased\n\n- Old.\n", "# Changelog\n\n## 0.2.0\n\n- Old.\n"],
  ["no such section", "# Changelog\n", "# Changelog\n\n## 0.2.0\n"],
])("a release adds its changes to a changelog with %s", (_, before, after) => {
  expect(addVersion(before, "0.2.0", changes)).toBe(after + lists);
  const released = "\n## 0.1.0\n\n- First.\n";
  expect(addVersion(before + released, "0.2.0", changes)).toBe(after + lists + released);
});

test.each([
  ["a kind that does not exist", "changes/a.md", "repaired\nA.\n", "first line"],
  ["no text", "changes/a.md", "fixed\n", "second line"],
  ["a list", "changes/a.md", "fixed\nA:\n- b\n", "without headings and lists"],
  ["another name", "changes/A b.md", "fixed\nA.\n", "changes/short-name.md"],
])("a change with %s is refused", (_, path, text, message) => {
  expect(() => parseChange(path, text)).toThrow(message);
});
