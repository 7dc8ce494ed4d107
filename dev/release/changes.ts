import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const kinds = ["added", "changed", "fixed", "removed", "security"] as const;

interface Change {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
}

/** Reads a file of changes/: its kind, then what users notice. Throws an error that says what is wrong with it. */
export function parseChange(path: string, content: string): Change {
  const [first = "", ...lines] = content.trimEnd().split("\n");
  const kind = kinds.find((name) => name === first);
  if (!kind) throw new Error(`${path}: the first line is not one of ${kinds.join(", ")}`);
  if (!lines[0] || lines.some((line) => /^(#|- )/.test(line)))
    throw new Error(`${path}: the second line starts a text without headings and lists`);
  if (!/^changes\/[a-z0-9-]+\.md$/.test(path)) throw new Error(`${path}: name it like changes/short-name.md`);
  return { kind, text: lines.join("\n") };
}

/** Returns the changelog with the changes in a section of the version, after what its section "Unreleased" says. */
export function addVersion(changelog: string, version: string, changes: readonly Change[]): string {
  const lists = kinds.flatMap((kind) => {
    const items = changes
      .filter((change) => change.kind === kind)
      .map(({ text }) => `- ${text.replaceAll("\n", "\n  ")}\n`);
    return items.length > 0 ? [`\n### ${kind[0]?.toUpperCase()}${kind.slice(1)}\n\n${items.join("")}`] : [];
  });
  const released = /\n## (?!Unreleased\n)/.exec(changelog)?.index ?? changelog.length;
  const before = changelog.slice(0, released);
  const section = before.includes("\n## Unreleased\n") ? "" : `\n## ${version}\n`;
  return (
    before.replace("\n## Unreleased\n", `\n## ${version}\n`) + section + lists.join("") + changelog.slice(released)
  );
}

/** Moves the files of changes/ to CHANGELOG.md. */
export function collectChanges(root: string, version: string): void {
  const paths = globSync("changes/*", { cwd: root }).sort();
  const changes = paths.map((path) => parseChange(path, readFileSync(join(root, path), "utf8")));
  const changelog = join(root, "CHANGELOG.md");
  writeFileSync(changelog, addVersion(readFileSync(changelog, "utf8"), version, changes));
  for (const path of paths) rmSync(join(root, path));
}
