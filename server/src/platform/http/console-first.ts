import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the console's build notes: the files, and the service's answers, that a page needs at first, by its path. */
export interface First {
  readonly pages: Readonly<Record<string, { readonly files: readonly string[]; readonly asks: readonly string[] }>>;
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

const nothing: First = { pages: {}, texts: {} };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function readFirst(folder: string): Promise<First> {
  const note = await readFile(join(folder, "first.json"), "utf8").catch(() => undefined);
  return note === undefined ? nothing : (JSON.parse(note) as First);
}

/**
 * The tags by which a browser fetches at once what the page at this path will need. Without them it would ask for one
 * thing, run it, find out what it needs next, and ask for that.
 */
export function firstTags(first: First, path: string, accepted: string | undefined): string {
  const parts = path === "" ? ["calls"] : path.split("/");
  const id = parts.find((part) => uuid.test(part)) ?? "";
  const pattern = parts.map((part) => (uuid.test(part) ? "$id" : encodeURIComponent(part))).join("/");
  const page = first.pages[`/${pattern}`];
  if (!page) return "";
  const asks = page.asks.map(
    (address) => `<link rel="preload" as="fetch" crossorigin href="${address.replace("$id", id)}">`,
  );
  const files = [...page.files, ...textsFor(first, accepted)].map((name) =>
    name.endsWith(".css")
      ? `<link rel="stylesheet" href="/console/${name}">`
      : `<link rel="modulepreload" href="/console/${name}">`,
  );
  return [...asks, ...files].join("\n");
}

/** In the language that the browser asks for. Whoever chose another one here waits for it a little longer. */
function textsFor({ texts }: First, accepted = ""): readonly string[] {
  const wanted = accepted.split(",").map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return texts[wanted.find((language) => Object.hasOwn(texts, language)) ?? "en"] ?? [];
}
