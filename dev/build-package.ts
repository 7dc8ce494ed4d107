// Builds the package of a workspace as it is published, in its dist/package or in the folder given: npm run build -w sdk
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "rolldown";
import { root } from "./release/run-in.ts";
import { writeDeclarations } from "./release/write-declarations.ts";

interface Manifest {
  readonly exports?: object;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Bundles the entry points with what they import from these private packages. Returns the names of all other packages. */
async function bundle(entries: readonly string[], included: readonly string[], lib: string): Promise<string[]> {
  const { output } = await build({
    input: [...entries],
    platform: "neutral",
    transform: { target: "es2022" },
    // Also #send-form: the conditions of package.json choose it.
    external: (id) => /^[\w@#]/.test(id) && !included.some((name) => id === name || id.startsWith(`${name}/`)),
    output: { dir: lib, entryFileNames: "[name].js", chunkFileNames: "[name].js" },
  });
  const chunks = output.filter((file) => file.type === "chunk");
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const packages = imported.filter((id) => !own.has(id) && !/^(node:|#)/.test(id));
  return [...new Set(packages.map((id) => id.split("/", id.startsWith("@") ? 2 : 1).join("/")))].sort();
}

const target = resolve(process.argv[2] ?? "dist/package");
const lib = join(target, "lib");
rmSync(target, { recursive: true, force: true });
mkdirSync(lib, { recursive: true });

const manifest = readManifest(".");
const included = Object.keys(manifest.devDependencies).filter((name) => name.startsWith("@hearback/"));
const source = /"\.\/src\/([^"]+)\.ts"/g;
const entries = [...JSON.stringify(manifest).matchAll(source)].map(([, name]) => `src/${name}.ts`);
const names = await bundle(entries, included, lib);
const manifests = [...included.map((name) => readManifest(join(root, "node_modules", name))), manifest];
const versions = Object.assign({}, ...manifests.map(({ dependencies }) => dependencies)) as Record<string, string>;
const dependencies = Object.fromEntries(names.map((name) => [name, versions[name]]));
if (manifest.exports) writeDeclarations(entries, lib);
const published = { ...manifest, private: undefined, scripts: undefined, devDependencies: undefined, dependencies };
const text = JSON.stringify(published, null, 2).replaceAll(source, '"./lib/$1.js"');
writeFileSync(join(target, "package.json"), `${text}\n`);
for (const file of ["README.md", join(root, "LICENSE")]) copyFileSync(file, join(target, basename(file)));
for (const recipe of globSync("recipes/*.json")) {
  mkdirSync(join(target, "recipes"), { recursive: true });
  copyFileSync(recipe, join(target, recipe));
}
