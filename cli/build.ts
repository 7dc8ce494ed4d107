// Builds the published package in cli/dist/package, or in the folder given as plain JavaScript: Node does not run TypeScript below node_modules.
import { chmodSync, copyFileSync, globSync, mkdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import ts from "typescript";
import { compile, completePackage, emptyPackage, writeInto } from "../sdk/build-package.ts";

const here = import.meta.dirname;
// Same depth as src: the code reads recipes and package.json from the parent folder.
const lib = "lib";

interface Manifest {
  readonly [name: string]: unknown;
  readonly bin: { readonly hearback: string };
}

/** Rewrites imports of the private package to the copy in this package. */
const withinPackage = (path: string, text: string) =>
  text.replace(/"@hearback\/portable\/([\w-]+)"/g, (_, name: string) => {
    const file = relative(dirname(path), `portable/${name}.js`);
    return JSON.stringify(file.startsWith(".") ? file : `./${file}`);
  });

const target = emptyPackage(here);
compile({
  source: join(here, "src"),
  included: { [join(here, "../portable/src")]: "portable" },
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
completePackage<Manifest>(here, target, (manifest) => ({ ...manifest, bin: { hearback: command } }));
