import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { etagOf, type StaticBody } from "../body/static-body.ts";

/** A file of the console, with its precompressed variants. */
interface ConsoleFile extends StaticBody {
  /** Whether the name contains a content hash. */
  readonly hashed: boolean;
}

export interface ConsoleFiles {
  readonly page: string;
  /** By path, such as "assets/index-5I0IweGm.js". */
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
  ".py": "text/x-python; charset=utf-8",
};

/** Reads the console's build output. Undefined if the console is not built. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | undefined> {
  const page = await readFile(join(folder, "index.html"), "utf8").catch(() => undefined);
  if (page === undefined) return undefined;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const existing = new Set(paths);
  const readIfExists = async (path: string) => (existing.has(path) ? await readFile(path) : undefined);

  const files = new Map<string, ConsoleFile>();
  for (const path of paths) {
    // Files of other types (build metadata, source maps) are not served.
    const type = types[extname(path)];
    if (!type) continue;
    const [body, br, gzip] = [await readFile(path), await readIfExists(`${path}.br`), await readIfExists(`${path}.gz`)];
    const name = relative(folder, path).split(sep).join("/");
    files.set(name, {
      type,
      body,
      encoded: { ...(br && { br }), ...(gzip && { gzip }) },
      etag: etagOf(body),
      hashed: name.startsWith("assets/"),
    });
  }
  return { page, files };
}
