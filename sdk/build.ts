// Makes the package that is published: sdk/dist/package, plain JavaScript and types, which need nothing else.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { writtenOut } from "./written-out.ts";

const here = import.meta.dirname;
const source = join(here, "src");
const target = join(here, "dist/package");

function compile(): ts.Program {
  const entries = ["index.ts", "node.ts", "send-form.ts", "send-form.node.ts"].map((name) => join(source, name));
  const program = ts.createProgram(entries, {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    types: ["node"],
    declaration: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(here, ".."),
    outDir: target,
  });
  // What it imports of the contract is types, and they are written out.
  const { diagnostics } = program.emit(undefined, (path, text, _, __, sources) => {
    if (sources?.every(({ fileName }) => fileName.startsWith(source))) {
      writeFileSync(join(target, basename(path)), withinPackage(text));
    }
  });
  const wrong = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (wrong.length > 0) {
    const host = { getCanonicalFileName: String, getCurrentDirectory: process.cwd, getNewLine: () => "\n" };
    throw new Error(ts.formatDiagnostics(wrong, host));
  }
  return program;
}

/** Declarations name files as they are here. */
const withinPackage = (text: string) =>
  text.replace(/"(\.\/[^"\n]+)\.ts"/g, '"$1.js"').replaceAll('"@hearback/contract"', '"./wire.js"');

interface Manifest {
  readonly [name: string]: unknown;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The package as it is outside of this repository. */
function manifest(): object {
  const {
    private: _,
    devDependencies: __,
    scripts: ___,
    ...kept
  } = JSON.parse(readFileSync(join(here, "package.json"), "utf8")) as Manifest;
  const built = (path: string, ending: string) => path.replace(/^\.\/src\/(.*)\.ts$/, `./$1${ending}`);
  return {
    ...kept,
    sideEffects: false,
    exports: Object.fromEntries(
      Object.entries(kept.exports as Manifest["exports"]).map(([name, path]) => [
        name,
        { types: built(path, ".d.ts"), default: built(path, ".js") },
      ]),
    ),
    imports: Object.fromEntries(
      Object.entries(kept.imports as Manifest["imports"]).map(([name, paths]) => [
        name,
        Object.fromEntries(Object.entries(paths).map(([condition, path]) => [condition, built(path, ".js")])),
      ]),
    ),
  };
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const program = compile();
writeFileSync(join(target, "wire.d.ts"), writtenOut(program, join(source, "wire.ts")));
writeFileSync(join(target, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
copyFileSync(join(here, "README.md"), join(target, "README.md"));
copyFileSync(join(here, "../LICENSE"), join(target, "LICENSE"));
