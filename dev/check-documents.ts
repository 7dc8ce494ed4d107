// Fails on links in documents to files that do not exist in this repository, and on code blocks that differ from the
// file they are copied from (<!-- path --> before the block). Also fails on malformed files in changes/.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseChange } from "./release/changes.ts";

const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((path) => existsSync(path));
// Files in changes/ become a part of CHANGELOG.md.
const folderOf = (path: string) => dirname(path).replace(/^changes$/, ".");
const broken = documents.flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/\]\(([^)\s#]+)(#[^)]*)?\)/g)]
    .map(([, target]) => target ?? "")
    .filter((target) => !/^[a-z]+:|^\//.test(target) && !existsSync(join(folderOf(path), target)))
    .map((target) => `${path}: ${target} does not exist`),
);
for (const path of documents) {
  const shown = [...readFileSync(path, "utf8").matchAll(/^<!-- (\S+\.ts) -->\n\n```ts\n(.*?)^```$/gms)];
  for (const [, file = "", code] of shown) {
    const same = existsSync(file) && readFileSync(file, "utf8") === code;
    if (!same) broken.push(`${path}: the code block differs from ${file}`);
  }
}
for (const path of globSync("changes/*")) {
  try {
    parseChange(path, readFileSync(path, "utf8"));
  } catch (error) {
    broken.push((error as Error).message);
  }
}
if (documents.length === 0) broken.push("no documents found");
for (const line of broken) console.error(line);
process.exit(broken.length > 0 ? 1 : 0);
