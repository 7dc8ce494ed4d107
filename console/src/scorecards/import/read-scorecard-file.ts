import type { ImportNote } from "@hearback/scoring/import/report";
import { importAmazonConnect } from "@hearback/scoring/import-amazon-connect";
import { importGenesys } from "@hearback/scoring/import-genesys";
import type { Problem } from "@hearback/scoring/problem";

export type FileSource = "hearback" | "amazon_connect" | "genesys";

export type ScorecardFile =
  | {
      readonly ok: true;
      readonly source: FileSource;
      readonly name: string;
      readonly document: Readonly<Record<string, unknown>>;
      /** What has no equivalent in a form of another product. */
      readonly notes: readonly ImportNote[];
    }
  | { readonly ok: false; readonly reason: "too_large" | "unreadable" | "unknown" }
  | { readonly ok: false; readonly reason: "invalid"; readonly problems: readonly Problem[] };

/** A form of another product can be several times larger than the scorecard made of it. */
export const maxFileBytes = 5_000_000;

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a scorecard from the text of a file: our document as JSON or YAML, or a form of Amazon Connect or Genesys Cloud. */
export async function readScorecardFile(text: string): Promise<ScorecardFile> {
  let content: unknown;
  try {
    content = await parseText(text);
  } catch {
    return { ok: false, reason: "unreadable" };
  }
  const source = isObject(content) ? sourceOf(content) : undefined;
  if (!isObject(content) || !source) return { ok: false, reason: "unknown" };
  const nameOf = (document: Members) => (typeof document.name === "string" ? document.name : "");
  if (source === "hearback") return { ok: true, source, name: nameOf(content), document: content, notes: [] };
  const imported = source === "amazon_connect" ? importAmazonConnect(content) : importGenesys(content);
  if (!imported.ok) return { ok: false, reason: "invalid", problems: imported.problems };
  const document: Members = { ...imported.document };
  return { ok: true, source, name: nameOf(document), document, notes: imported.notes };
}

/** The YAML parser is loaded only if the text is not JSON. */
async function parseText(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    const { parse } = await import("yaml");
    return parse(text, { version: "1.2", stringKeys: true });
  }
}

function sourceOf(content: Members): FileSource | undefined {
  if (typeof content.format === "string" && content.format.startsWith("hearback.scorecard/")) return "hearback";
  if ("questionGroups" in content) return "genesys";
  if ("EvaluationForm" in content || "Items" in content) return "amazon_connect";
  return undefined;
}
