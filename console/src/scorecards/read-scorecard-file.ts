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
  | { readonly ok: false; readonly reason: "too_large" | "not_json" | "unknown" }
  | { readonly ok: false; readonly reason: "invalid"; readonly problems: readonly Problem[] };

/** A form of another product can be several times larger than the scorecard made of it. */
export const maxFileBytes = 5_000_000;

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a scorecard from the text of a JSON file: our document, or a form of Amazon Connect or Genesys Cloud. */
export function readScorecardFile(text: string): ScorecardFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { ok: false, reason: "not_json" };
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

function sourceOf(content: Members): FileSource | undefined {
  if (typeof content.format === "string" && content.format.startsWith("hearback.scorecard/")) return "hearback";
  if ("questionGroups" in content) return "genesys";
  if ("EvaluationForm" in content || "Items" in content) return "amazon_connect";
  return undefined;
}
