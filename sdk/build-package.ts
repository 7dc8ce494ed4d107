// What the packages that are published have in common: each is made in its workspace's dist/package.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");

/** An empty folder for the package of a workspace. */
export function emptyPackage(workspace: string): string {
  const target = join(workspace, "dist/package");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  return target;
}

interface Compilation {
  /** The folder that the package is made of. What else is imported is only looked at. */
  readonly source: string;
  /** Files in it from which all others are reached. */
  readonly entries: readonly string[];
  readonly options: ts.CompilerOptions;
  /** Is given every file that comes out, its path relative to the source. */
  write(path: string, text: string): void;
}

/** Makes plain JavaScript of sources, and checks their types against what is there where it will run. */
export function compile({ source, entries, options, write }: Compilation): ts.Program {
  const outDir = join(root, "out");
  const program = ts.createProgram(
    entries.map((name) => join(source, name)),
    {
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      types: ["node"],
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: true,
      rootDir: root,
      outDir,
      ...options,
    },
  );
  const ours = (file: ts.SourceFile) => file.fileName.startsWith(`${source}/`);
  const { diagnostics } = program.emit(undefined, (path, text, _, __, sources) => {
    if (sources?.every(ours)) write(relative(join(outDir, relative(root, source)), path), text);
  });
  const wrong = [...ts.getPreEmitDiagnostics(program), ...diagnostics].filter(({ file }) => !file || ours(file));
  if (wrong.length > 0) {
    const host = { getCanonicalFileName: String, getCurrentDirectory: process.cwd, getNewLine: () => "\n" };
    throw new Error(ts.formatDiagnostics(wrong, host));
  }
  return program;
}

/** Adds what npm wants: the workspace's package.json as it is outside of this repository, its README, the licence. */
export function completePackage<M extends object>(
  workspace: string,
  target: string,
  published: (manifest: M) => object,
): void {
  const {
    private: _,
    devDependencies: __,
    scripts: ___,
    ...kept
  } = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(join(target, "package.json"), `${JSON.stringify(published(kept as M), null, 2)}\n`);
  copyFileSync(join(workspace, "README.md"), join(target, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(target, "LICENSE"));
}

/** Writes a file, and the folders above it that are not there. */
export function writeInto(target: string, path: string, text: string): void {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
