// Makes the package that is published: sdk/dist/package, plain JavaScript and types, which need nothing else.
import { join } from "node:path";
import ts from "typescript";
import { compile, completePackage, emptyPackage, writeInto } from "./build-package.ts";
import { writtenOut } from "./written-out.ts";

const here = import.meta.dirname;
const source = join(here, "src");

/** Declarations name files as they are here. */
const withinPackage = (text: string) =>
  text.replace(/"(\.\/[^"\n]+)\.ts"/g, '"$1.js"').replaceAll('"@hearback/contract"', '"./wire.js"');

interface Manifest {
  readonly [name: string]: unknown;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The package as it is outside of this repository. */
function published(manifest: Manifest): object {
  const built = (path: string, ending: string) => path.replace(/^\.\/src\/(.*)\.ts$/, `./$1${ending}`);
  return {
    ...manifest,
    sideEffects: false,
    exports: Object.fromEntries(
      Object.entries(manifest.exports).map(([name, path]) => [
        name,
        { types: built(path, ".d.ts"), default: built(path, ".js") },
      ]),
    ),
    imports: Object.fromEntries(
      Object.entries(manifest.imports).map(([name, paths]) => [
        name,
        Object.fromEntries(Object.entries(paths).map(([condition, path]) => [condition, built(path, ".js")])),
      ]),
    ),
  };
}

const target = emptyPackage(here);
const program = compile({
  source,
  entries: ["index.ts", "node.ts", "send-form.ts", "send-form.node.ts"],
  options: {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    declaration: true,
  },
  // What it imports of the contract is types, and they are written out.
  write: (path, text) => writeInto(target, path, withinPackage(text)),
});
writeInto(target, "wire.d.ts", writtenOut(program, join(source, "wire.ts")));
completePackage(here, target, published);
