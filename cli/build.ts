// Makes the package that is published: cli/dist/package, plain JavaScript, since Node runs no TypeScript below node_modules.
import { chmodSync, copyFileSync, globSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { compile, completePackage, emptyPackage, writeInto } from "../sdk/build-package.ts";

const here = import.meta.dirname;
// As deep as src: the recipes and package.json lie one folder above, here as there.
const lib = "lib";

interface Manifest {
  readonly [name: string]: unknown;
  readonly bin: { readonly hearback: string };
}

const target = emptyPackage(here);
compile({
  source: join(here, "src"),
  entries: ["main.ts"],
  options: { target: ts.ScriptTarget.ES2024, lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts"] },
  write: (path, text) => writeInto(target, join(lib, path), text),
});
const command = `${lib}/main.js`;
chmodSync(join(target, command), 0o755);
mkdirSync(join(target, "recipes"));
for (const recipe of globSync(join(here, "recipes/*.json"))) {
  copyFileSync(recipe, join(target, "recipes", basename(recipe)));
}
completePackage<Manifest>(here, target, (manifest) => ({ ...manifest, bin: { hearback: command } }));
