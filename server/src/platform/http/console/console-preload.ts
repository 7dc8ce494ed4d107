import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Preload manifest from the console's build: the files and API responses that each page needs first, by path. */
export interface ConsolePreload {
  readonly pages: Readonly<Record<string, PagePreload>>;
}

interface PagePreload {
  readonly files: readonly string[];
  readonly asks: readonly string[];
  /** Text files by language. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

const empty: ConsolePreload = { pages: {} };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function readPreload(folder: string): Promise<ConsolePreload> {
  const manifest = await readFile(join(folder, "first.json"), "utf8").catch(() => undefined);
  return manifest === undefined ? empty : (JSON.parse(manifest) as ConsolePreload);
}

/**
 * Preload tags for the page at this path, so that the browser fetches everything it needs in parallel instead of
 * discovering it step by step.
 */
export function preloadTags(preload: ConsolePreload, path: string, accepted: string | undefined): string {
  const parts = path === "" ? ["calls"] : path.split("/");
  const id = parts.find((part) => uuid.test(part)) ?? "";
  const pattern = parts.map((part) => (uuid.test(part) ? "$id" : encodeURIComponent(part))).join("/");
  const page = preload.pages[`/${pattern}`];
  if (!page) return "";
  const asks = page.asks.map(
    (address) => `<link rel="preload" as="fetch" crossorigin href="${address.replace("$id", id)}">`,
  );
  const files = [...page.files, ...textsFor(page, accepted)].map((name) =>
    name.endsWith(".css")
      ? `<link rel="stylesheet" href="/console/${name}">`
      : `<link rel="modulepreload" href="/console/${name}">`,
  );
  return [...asks, ...files].join("\n");
}

/** Text files in the browser's language. A different language chosen in the console is loaded later. */
function textsFor({ texts }: PagePreload, accepted = ""): readonly string[] {
  const wanted = accepted.split(",").map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return texts[wanted.find((language) => Object.hasOwn(texts, language)) ?? "en"] ?? [];
}
