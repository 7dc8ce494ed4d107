import type { Reconciliation } from "../import/reconciliation-report.ts";
import type { ImportSummary } from "../terminal/summary.ts";

/** A reconciliation for programs. */
export const reconciliationJson = ({ notImportable, ...proof }: Reconciliation) => ({
  ...proof,
  not_importable: notImportable,
});

interface Measured {
  readonly seconds: Readonly<Record<"reading" | "importing" | "reconciling", number>>;
  readonly proof: Reconciliation | undefined;
}

/** What became of an import, for programs. */
export const summaryJson = (summary: ImportSummary, { seconds, proof }: Measured) => ({
  ended: summary.ended,
  reason: summary.reason ?? null,
  rows: summary.total,
  imported: summary.imported,
  present: summary.present,
  failed: summary.failed,
  erased: summary.erased,
  agents_created: summary.agentsCreated,
  failures_file: summary.failuresFile ?? null,
  seconds,
  reconciliation: proof ? reconciliationJson(proof) : null,
});
