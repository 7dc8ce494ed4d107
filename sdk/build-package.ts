// Shared steps for building the published packages: in the folder named on the command line, or in the workspace's dist/package.
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");

/** Creates an empty output folder for the package of a workspace. */
export function emptyPackage(workspace: string): string {
  const target = process.argv[2] ?? join(workspace, "dist/package");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  return target;
}

interface Compilation {
  /** The package's source folder. Other imported files are type-checked but not emitted. */
  readonly source: string;
  /** Source folders of private packages to include, with their folders in the package. */
  readonly included?: Readonly<Record<string, string>>;
  /** Entry points, relative to the source folder. */
  readonly entries: readonly string[];
  readonly options: ts.CompilerOptions;
  /** Called with every emitted file; the path is relative to the package's code. */
  write(path: string, text: string): void;
}

/** Compiles TypeScript to JavaScript and type-checks it against the target environment. */
export function compile({ source, included = {}, entries, options, write }: Compilation): ts.Program {
  const outDir = join(root, "out");
  const program = ts.createProgram(
    [
      ...entries.map((name) => join(source, name)),
      // As entries: the compiler does not emit what it finds through node_modules.
      ...Object.keys(included)
        .flatMap((folder) => globSync(join(folder, "*.ts")))
        .filter((path) => !path.endsWith(".test.ts")),
    ],
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
  const folders = Object.entries({ [source]: "", ...included });
  const folderOf = (file: ts.SourceFile) => folders.find(([folder]) => file.fileName.startsWith(`${folder}/`));
  const inPackage = (file: ts.SourceFile) => folderOf(file) !== undefined;
  const { diagnostics } = program.emit(undefined, (path, text, _, __, sources) => {
    const [folder, into] = (sources?.[0] && folderOf(sources[0])) ?? [];
    if (folder === undefined || into === undefined) return;
    write(join(into, relative(join(outDir, relative(root, folder)), path)), text);
  });
  const errors = [...ts.getPreEmitDiagnostics(program), ...diagnostics].filter(({ file }) => !file || inPackage(file));
  if (errors.length > 0) {
    const host = { getCanonicalFileName: String, getCurrentDirectory: process.cwd, getNewLine: () => "\n" };
    throw new Error(ts.formatDiagnostics(errors, host));
  }
  return program;
}

/** Adds the published package.json, the README and the licence. */
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

/** Writes a file, creating its parent folders. */
export function writeInto(target: string, path: string, text: string): void {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
