import { createHash, hash } from "node:crypto";
import type { CallsFoundBody } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import type { Journal } from "./journal/journal.ts";
import { openIndex } from "./journal/journal-index.ts";
import { isRefusal } from "./lookup-refusal.ts";
import type { Progress } from "./progress.ts";

export interface Difference {
  readonly line: number;
  readonly file: string;
  /** doubled: an earlier row is the same call. The call is stored once. */
  readonly kind: "missing" | "failed" | "erased" | "not_importable" | "doubled";
  readonly id: string | null;
  readonly detail: string;
}

export interface Reconciliation {
  readonly rows: number;
  /** On the service, including failed preparations. */
  readonly present: number;
  /** On the service, but preparation failed. Also counted in `present`. */
  readonly failed: number;
  readonly missing: number;
  readonly erased: number;
  /** The recording is unreadable, or its agent or campaign does not exist. */
  readonly notImportable: number;
  /** Rows that are the same call as an earlier row. */
  readonly doubled: number;
  /** SHA-256 over "line:id" of every row in manifest order. Equal digests mean equal calls. */
  readonly digest: string;
  /** The service has every row that was not erased. */
  readonly complete: boolean;
}

/** Look-up result of a row. `refused`: why the service rejected the look-up. */
export type Found = CallsFoundBody["calls"][number] & { readonly refused?: string };

export interface Row {
  readonly entry: Entry;
  readonly key: string;
  readonly sha256: string | undefined;
  readonly unreadable?: string;
}

export interface ReportOptions {
  /** Provides stored digests. Calls that are gone are marked as missing in it. */
  readonly journal: Journal | undefined;
  readonly progress: Progress;
  readonly onDifference: (difference: Difference) => void;
}

/** Compares rows in manifest order and keeps only the totals. */
export function openReport({ journal, progress, onDifference }: ReportOptions) {
  const counts = { rows: 0, present: 0, failed: 0, missing: 0, erased: 0, notImportable: 0, doubled: 0 };
  const digest = createHash("sha256");
  const lines = openIndex(progress.total);

  function compare(row: Row, found: Found | undefined): void {
    const { entry, key, sha256 } = row;
    const report = (kind: Difference["kind"], detail: string) =>
      onDifference({ line: entry.line, file: entry.file, kind, id: found?.id ?? null, detail });
    counts.rows++;
    digest.update(`${entry.line}:${found && found.status !== "missing" ? found.id : "-"}\n`);
    if (!found || found.refused || isRefusal(found.reason)) {
      counts.notImportable++;
      report("not_importable", explainNotImportable(row, found));
    } else if (found.status === "missing") {
      counts.missing++;
      // Otherwise the next import would skip it.
      if (journal?.find(key) && sha256) journal.add({ key, line: entry.line, id: null, sha256, result: "missing" });
      const lost = found.reason === "recording_lost";
      report(
        "missing",
        `The service ${lost ? "lost this recording" : "does not have this call"}. Run the import again.`,
      );
    } else if (found.status === "erased") {
      counts.erased++;
      report("erased", "The call was erased on request.");
    } else {
      counts.present++;
      if (found.status === "failed") {
        counts.failed++;
        report("failed", `Preparation of this call failed (${found.id}).`);
      }
    }
    if (found?.id) countDoubled(found.id, entry.line, report);
  }

  function countDoubled(id: string, line: number, report: (kind: "doubled", detail: string) => void): void {
    const key = hash("sha1", id).slice(0, 16);
    const before = lines.find(key);
    if (before === undefined) {
      lines.set(key, line);
      return;
    }
    counts.doubled++;
    report("doubled", `Duplicate of line ${before}: the call is stored once.`);
  }

  return {
    add(rows: readonly Row[], found: readonly (Found | undefined)[]): void {
      for (const [at, row] of rows.entries()) {
        compare(row, found[at]);
        progress.done++;
        progress.doneBytes += row.entry.bytes;
        const exists = found[at] !== undefined && found[at].status !== "missing";
        progress[exists ? "present" : "failed"]++;
      }
    },
    end(): Reconciliation {
      const complete = counts.missing === 0 && counts.notImportable === 0;
      return { ...counts, digest: digest.digest("hex"), complete };
    },
  };
}

function explainNotImportable({ entry, unreadable }: Row, found: Found | undefined): string {
  const reason = unreadable ?? found?.refused;
  if (reason) return reason;
  if (found?.reason === "agent_not_found") return `No agent "${entry.agentEmail}" in this workspace.`;
  if (found?.reason === "user_not_agent") return `The user "${entry.agentEmail}" is not an agent.`;
  return `No campaign "${entry.campaignId}" in this workspace, or the API key cannot access it.`;
}
