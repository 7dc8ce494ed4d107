import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as contract from "@hearback/contract";
import ts from "typescript";
import { inlineTypes } from "./inline-types.ts";

/** Writes the type declarations of the package in the current folder. Those of the contract are inlined: zod infers them. */
export function writeDeclarations(entries: readonly string[], outDir: string): void {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  const program = ts.createProgram(entries, {
    ...options,
    composite: false,
    declaration: true,
    rootDir: "src",
    outDir,
  });
  const { diagnostics } = program.emit();
  const errors = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (errors.length > 0) {
    const host = { getCanonicalFileName: String, getCurrentDirectory: process.cwd, getNewLine: () => "\n" };
    throw new Error(ts.formatDiagnostics(errors, host));
  }
  writeFileSync(join(outDir, "wire.d.ts"), inlineTypes(program, "src/wire.ts", contract));
  const foreign = globSync(join(outDir, "**/*.d.ts")).filter((path) =>
    readFileSync(path, "utf8").includes("@hearback/"),
  );
  if (foreign.length > 0) throw new Error(`the package would lack what these import: ${foreign.join(", ")}`);
}
