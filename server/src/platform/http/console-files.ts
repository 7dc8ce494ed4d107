import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

type Encoding = "br" | "gzip";

/** A file of the console, whole and in the compressed forms that its build made. */
export interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
  readonly etag: string;
  /** Whether its name changes with its content. */
  readonly hashed: boolean;
}

export interface ConsoleFiles {
  readonly page: string;
  /** By path, as in "assets/index-5I0IweGm.js". */
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** Reads what the build left in a folder. Nothing if there is no page in it. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | undefined> {
  const page = await readFile(join(folder, "index.html"), "utf8").catch(() => undefined);
  if (page === undefined) return undefined;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(paths);
  const readIfThere = async (path: string) => (known.has(path) ? await readFile(path) : undefined);

  const files = new Map<string, ConsoleFile>();
  for (const path of paths) {
    // What has no type here (the build's own notes, source maps) is nobody's to see.
    const type = types[extname(path)];
    if (!type) continue;
    const [body, br, gzip] = [await readFile(path), await readIfThere(`${path}.br`), await readIfThere(`${path}.gz`)];
    const name = relative(folder, path).split(sep).join("/");
    files.set(name, {
      ...{ type, body, encoded: { ...(br && { br }), ...(gzip && { gzip }) } },
      etag: createHash("sha256").update(body).digest("base64url").slice(0, 22),
      hashed: name.startsWith("assets/"),
    });
  }
  return { page, files };
}

/** The form of a file that an Accept-Encoding header asks for, the smallest if there is a choice. */
export function chooseEncoding(file: ConsoleFile, accepted: string | undefined): Encoding | undefined {
  const wanted = new Set(
    (accepted ?? "")
      .toLowerCase()
      .split(",")
      .map((word) => word.trim().split(/\s*;\s*/))
      .filter(([, quality = "q=1"]) => !/^q=0(\.0*)?$/.test(quality))
      .map(([name]) => name),
  );
  return (["br", "gzip"] as const).find((encoding) => wanted.has(encoding) && file.encoded[encoding]);
}
