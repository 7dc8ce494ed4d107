// Fails on a link in a document to a file of this repository that does not exist, and on code in one that is shown from
// a file (<!-- path --> before it) and is not the same.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((path) => existsSync(path));
const broken = documents.flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/\]\(([^)\s#]+)(#[^)]*)?\)/g)]
    .map(([, target]) => target ?? "")
    .filter((target) => !/^[a-z]+:|^\//.test(target) && !existsSync(join(dirname(path), target)))
    .map((target) => `${path}: there is no ${target}`),
);
for (const path of documents) {
  const shown = [...readFileSync(path, "utf8").matchAll(/^<!-- (\S+\.ts) -->\n\n```ts\n(.*?)^```$/gms)];
  for (const [, file = "", code] of shown) {
    const same = existsSync(file) && readFileSync(file, "utf8") === code;
    if (!same) broken.push(`${path}: the code shown from ${file} is another`);
  }
}
if (documents.length === 0) broken.push("no document was found");
for (const line of broken) console.error(line);
process.exit(broken.length > 0 ? 1 : 0);
