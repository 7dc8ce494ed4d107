import { createHash, hash } from "node:crypto";
import type { CallsFoundBody } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import type { Journal } from "./journal.ts";
import { openIndex } from "./journal-index.ts";
import type { Progress } from "./progress.ts";

export interface Difference {
  readonly line: number;
  readonly file: string;
  /** doubled: another row is the same call; it is there once, as it should be. */
  readonly kind: "missing" | "failed" | "erased" | "not_importable" | "doubled";
  readonly id: string | null;
  readonly detail: string;
}

export interface Reconciliation {
  readonly rows: number;
  /** There, whether it can be played or not. */
  readonly present: number;
  /** There, and could not be prepared for playing. Counted in `present`, too. */
  readonly failed: number;
  readonly missing: number;
  readonly erased: number;
  /** The recording cannot be read, or its agent or campaign is not there. */
  readonly notImportable: number;
  /** Rows that are the same call as a row before. */
  readonly doubled: number;
  /** SHA-256 over "line:id" of every row in the order of the manifest: the same proof, the same calls. */
  readonly digest: string;
  /** Every row that is not erased is a call of the service. */
  readonly complete: boolean;
}

/** What the service says of a row; `refused`: why it does not even look it up. */
export type Found = CallsFoundBody["calls"][number] & { readonly refused?: string };

export interface Row {
  readonly entry: Entry;
  readonly key: string;
  readonly sha256: string | undefined;
  readonly unreadable?: string;
}

export interface ReportOptions {
  /** Saves reading the recordings again. What it says of calls that are gone is taken back in it. */
  readonly journal: Journal | undefined;
  readonly progress: Progress;
  readonly onDifference: (difference: Difference) => void;
}

/** Judges the rows one after the other, in the order of the manifest, and keeps nothing but their sums. */
export function openReport({ journal, progress, onDifference }: ReportOptions) {
  const counts = { rows: 0, present: 0, failed: 0, missing: 0, erased: 0, notImportable: 0, doubled: 0 };
  const digest = createHash("sha256");
  const lines = openIndex(progress.total);

  function judge(row: Row, found: Found | undefined): void {
    const { entry, key, sha256 } = row;
    const tell = (kind: Difference["kind"], detail: string) =>
      onDifference({ line: entry.line, file: entry.file, kind, id: found?.id ?? null, detail });
    counts.rows++;
    digest.update(`${entry.line}:${found && found.status !== "missing" ? found.id : "-"}\n`);
    if (!found || found.refused || found.reason === "agent_not_found" || found.reason === "campaign_not_found") {
      counts.notImportable++;
      tell("not_importable", whyNot(row, found));
    } else if (found.status === "missing") {
      counts.missing++;
      // Otherwise the next import would believe the journal.
      if (journal?.find(key) && sha256) journal.add({ key, line: entry.line, id: null, sha256, result: "missing" });
      tell("missing", "The service does not have this call: run the import again.");
    } else if (found.status === "erased") {
      counts.erased++;
      tell("erased", "The call was erased on request.");
    } else {
      counts.present++;
      if (found.status === "failed") {
        counts.failed++;
        tell("failed", `The call is there (${found.id}), but could not be prepared for playing.`);
      }
    }
    if (found?.id) countDoubled(found.id, entry.line, tell);
  }

  function countDoubled(id: string, line: number, tell: (kind: "doubled", detail: string) => void): void {
    const key = hash("sha1", id).slice(0, 16);
    const before = lines.find(key);
    if (before === undefined) {
      lines.set(key, line);
      return;
    }
    counts.doubled++;
    tell("doubled", `This row and the row in line ${before} are the same call; it is there once.`);
  }

  return {
    add(rows: readonly Row[], found: readonly (Found | undefined)[]): void {
      for (const [at, row] of rows.entries()) {
        judge(row, found[at]);
        progress.done++;
        progress.doneBytes += row.entry.bytes;
        const there = found[at] !== undefined && found[at].status !== "missing";
        progress[there ? "present" : "failed"]++;
      }
    },
    end(): Reconciliation {
      const complete = counts.missing === 0 && counts.notImportable === 0;
      return { ...counts, digest: digest.digest("hex"), complete };
    },
  };
}

function whyNot({ entry, unreadable }: Row, found: Found | undefined): string {
  const said = unreadable ?? found?.refused;
  if (said) return said;
  if (found?.reason === "agent_not_found") return `There is no agent "${entry.agentEmail}" in this workspace.`;
  return `There is no campaign "${entry.campaignId}" in this workspace, or the key is not for it.`;
}
