import type { Reconciliation } from "../import/reconciliation-report.ts";
import type { ImportSummary } from "../terminal/summary.ts";

/** The reconciliation as printed with --json. */
export const reconciliationJson = ({ notImportable, ...reconciliation }: Reconciliation) => ({
  ...reconciliation,
  not_importable: notImportable,
});

interface Measured {
  readonly seconds: Readonly<Record<"reading" | "importing" | "reconciling", number>>;
  readonly reconciliation: Reconciliation | undefined;
}

/** The import summary as printed with --json. */
export const summaryJson = (summary: ImportSummary, { seconds, reconciliation }: Measured) => ({
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
  reconciliation: reconciliation ? reconciliationJson(reconciliation) : null,
});
