// Builds the published package in sdk/dist/package, or in the folder given: JavaScript and type declarations without dependencies.
import { join } from "node:path";
import * as contract from "@hearback/contract";
import ts from "typescript";
import { compile, completePackage, emptyPackage, writeInto } from "./build-package.ts";
import { inlineTypes } from "./inline-types.ts";

const here = import.meta.dirname;
const source = join(here, "src");

/** Rewrites imports in declarations from source files to package files. */
const withinPackage = (text: string) =>
  text.replace(/"(\.\/[^"\n]+)\.ts"/g, '"$1.js"').replaceAll('"@hearback/contract"', '"./wire.js"');

interface Manifest {
  readonly [name: string]: unknown;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The package.json for publishing. */
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
  // The contract is imported for its types only; they are inlined into wire.d.ts.
  write: (path, text) => writeInto(target, path, withinPackage(text)),
});
writeInto(target, "wire.d.ts", inlineTypes(program, join(source, "wire.ts"), contract));
completePackage(here, target, published);
