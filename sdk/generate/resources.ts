// Writes the groups of methods in src/generated/resources.ts, and their list in docs/sdk.md, from openapi.json and methods.ts.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interfaces, writeMethod } from "./method.ts";
import { byHand, groups } from "./methods.ts";
import { pascal, root } from "./openapi.ts";
import { used } from "./types.ts";

const opened = Object.entries(groups).flatMap(([group, methods]) => {
  const own = Object.entries(methods).filter(([, method]) => method !== byHand);
  if (own.length === 0) return [];
  const name = pascal(group);
  const text = own.map(([method, options]) => writeMethod(method, options)).join("");
  return [`const open${name} = (transport: Transport) => ({\n${text}});\n`];
});
const resources = Object.keys(groups).filter((group) =>
  opened.some((text) => text.startsWith(`const open${pascal(group)} `)),
);
const typed = ["ErasureTarget", "CreateHold", "SaveTeam"];
// As Biome sorts.
const list = (names: readonly string[]) => names.toSorted((a, b) => a.localeCompare(b, "en")).join(", ");
const code = `// Written by npm run openapi from openapi.json and generate/methods.ts. Do not edit.
import type { ${list(typed)} } from "../arguments.ts";
import type { Download } from "../download.ts";
import { ifMatchHeader } from "../if-match.ts";
import { type Items, paged } from "../pages.ts";
import { inSnakeCase } from "../snake-case.ts";
import type { RequestOptions, Transport } from "../transport.ts";
import type { ${list([...used].filter((name) => !typed.includes(name)))} } from "../wire.ts";

${[...interfaces.values()].join("\n")}
${opened.join("\n")}
export interface Resources {
  ${resources.map((group) => `readonly ${group}: ReturnType<typeof open${pascal(group)}>`).join(";\n")}
}

export const openResources = (transport: Transport): Resources => ({
  ${resources.map((group) => `${group}: open${pascal(group)}(transport)`).join(",\n")}
});
`;
const table = Object.entries(groups).map(
  ([group, methods]) =>
    `| \`${group}\` | ${Object.keys(methods)
      .map((name) => `\`${name}\``)
      .join(", ")} |\n`,
);
const page = join(root, "docs/sdk.md");
const before = readFileSync(page, "utf8");
const after = before.replace(/(\| group \| methods \|\n.*\n)(\|.*\n)+/, `$1${table.join("")}`);
const output = join(root, "sdk/src/generated/resources.ts");
const formatted = execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--stdin-file-path=resources.ts"], {
  cwd: root,
  input: code,
  encoding: "utf8",
});
if (process.argv[2] !== "--check") {
  writeFileSync(page, after);
  writeFileSync(output, formatted);
} else if (before !== after || readFileSync(output, "utf8") !== formatted) {
  process.stderr.write(
    "sdk/src/generated/resources.ts or the methods in docs/sdk.md are outdated: run npm run openapi\n",
  );
  process.exitCode = 1;
}
