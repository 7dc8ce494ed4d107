// Builds the published package in cli/dist/package, or in the folder given as plain JavaScript: Node does not run TypeScript below node_modules.
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import ts from "typescript";
import { compile, completePackage, emptyPackage, writeInto } from "../sdk/build-package.ts";

const here = import.meta.dirname;
// Same depth as src: the code reads recipes and package.json from the parent folder.
const lib = "lib";

interface Manifest {
  readonly [name: string]: unknown;
  readonly bin: { readonly hearback: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Rewrites imports of the private packages to their copies in this package. */
const withinPackage = (path: string, text: string) =>
  text.replace(/"@hearback\/(portable|scoring|draws)\/([\w-]+)"/g, (_, folder: string, name: string) => {
    const file = relative(dirname(path), `${folder}/${name}.js`);
    return JSON.stringify(file.startsWith(".") ? file : `./${file}`);
  });

const target = emptyPackage(here);
compile({
  source: join(here, "src"),
  included: Object.fromEntries(
    ["portable", "scoring", "draws"].map((folder) => [join(here, `../${folder}/src`), folder]),
  ),
  entries: ["main.ts"],
  options: { target: ts.ScriptTarget.ES2024, lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts"] },
  write: (path, text) => writeInto(target, join(lib, path), withinPackage(path, text)),
});
const command = `${lib}/main.js`;
chmodSync(join(target, command), 0o755);
mkdirSync(join(target, "recipes"));
for (const recipe of globSync(join(here, "recipes/*.json"))) {
  copyFileSync(recipe, join(target, "recipes", basename(recipe)));
}
/** Dependencies of the copied private packages, without those on each other. */
const copiedDependencies = ["scoring", "draws"]
  .map((folder) => JSON.parse(readFileSync(join(here, `../${folder}/package.json`), "utf8")) as Manifest)
  .flatMap(({ dependencies }) => Object.entries(dependencies))
  .filter(([name]) => !name.startsWith("@hearback/"));
completePackage<Manifest>(here, target, (manifest) => ({
  ...manifest,
  dependencies: { ...manifest.dependencies, ...Object.fromEntries(copiedDependencies) },
  bin: { hearback: command },
}));
