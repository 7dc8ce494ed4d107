import { marks, type Style } from "./style.ts";
import { sanitize } from "./text-width.ts";
import { formatBytes, formatDuration, formatFound, formatNumber, formatRate, pluralize } from "./units.ts";

/** The result of an import. */
export interface ImportSummary {
  /** stopped: by Ctrl-C. broken-off: by an error. Running the command again resumes both. */
  readonly ended: "done" | "stopped" | "broken-off";
  /** Why the import ended early. */
  readonly reason: string | undefined;
  /** Rows that should be on the service after a complete import. */
  readonly total: number;
  readonly imported: number;
  readonly present: number;
  readonly failed: number;
  /** Erased on request earlier, therefore not imported again. */
  readonly erased: number;
  readonly agentsCreated: number;
  /** Bytes of the recordings that were uploaded. */
  readonly sentBytes: number;
  readonly durationMs: number;
  /** CSV file with the failed rows; undefined if none failed. */
  readonly failuresFile: string | undefined;
  /** The import uses a file name pattern instead of a manifest. */
  readonly byPattern: boolean;
  /** undefined: skipped. */
  readonly reconciliation: ReconciledRows | undefined;
}

export interface ReconciledRows {
  /** Rows compared, and those that the service has or has erased on request. */
  readonly rows: number;
  readonly found: number;
  readonly missing: number;
}

/** Formats the summary: what happened, whether it is verified, what to do next. */
export function formatSummary(summary: ImportSummary, style: Style): string {
  const lines = [headline(summary, style), "", ...figures(summary, style), "", ...formatReconciliation(summary, style)];
  return `${lines.join("\n")}\n${style.bold("Next:")} ${nextStep(summary)}\n`;
}

function headline(summary: ImportSummary, style: Style): string {
  const { ended, reason, failed, reconciliation, imported, durationMs } = summary;
  const { good, bad, warning } = marks(style);
  const took = imported > 0 ? ` in ${formatDuration(durationMs)}` : "";
  if (ended === "stopped") return `${warning} ${style.bold("Stopped.")} Imported calls are kept.`;
  if (ended === "broken-off") return `${bad} ${style.bold("Aborted.")} ${sanitize(reason ?? "")}`;
  if (reconciliation && reconciliation.missing > 0)
    return `${bad} ${style.bold("Done, but calls are missing on the service.")}`;
  if (failed > 0) return `${warning} ${style.bold(`Done${took}, but ${pluralize(failed, "row")} failed.`)}`;
  return `${good} ${style.bold(`Done${took}.`)}`;
}

function figures(summary: ImportSummary, style: Style): string[] {
  const { imported, present, failed, erased, agentsCreated, sentBytes, durationMs, failuresFile, total } = summary;
  const left = total - imported - present - failed - erased;
  const seconds = durationMs / 1000;
  const speed =
    imported > 0 && seconds > 0 ? `, ${formatRate(imported / seconds)}, ${formatBytes(sentBytes / seconds)}/s` : "";
  const rows: readonly (readonly [count: number, label: string, note: string, paint?: (text: string) => string])[] = [
    [imported, "imported", imported > 0 ? `${formatBytes(sentBytes)}${speed}` : ""],
    [present, "already imported", "not sent again"],
    [erased, "erased on request", "not imported again"],
    [agentsCreated, agentsCreated === 1 ? "agent created" : "agents created", ""],
    [failed, "failed", failuresFile === undefined ? "" : `listed in ${sanitize(failuresFile)}`, style.red],
    [left, "remaining", ""],
  ];
  // Show zero only for "imported".
  const shown = rows.filter(([count, label]) => count > 0 || label === "imported");
  const width = Math.max(...shown.map(([count]) => formatNumber(count).length));
  return shown.map(([count, label, note, paint = String]) => {
    const figure = paint(`${formatNumber(count).padStart(width)} ${label}`);
    return `  ${figure}${note && style.dim(`  ${note}`)}`;
  });
}

function formatReconciliation({ reconciliation, ended }: ImportSummary, style: Style): string[] {
  const { good, bad } = marks(style);
  if (!reconciliation)
    return ended === "done" ? [`${style.yellow("!")} Not verified: the final comparison was skipped.`] : [];
  const { rows, found, missing } = reconciliation;
  if (missing === 0 && found === rows) {
    return [`${good} Verified: ${formatFound(found, rows)}.`];
  }
  const result = formatFound(found, rows);
  if (missing === 0) return [`${marks(style).warning} Verified: ${result}; the others failed.`];
  return [
    `${bad} Verification failed: ${result}, ${style.red(`${formatNumber(missing)} ${missing === 1 ? "is" : "are"} missing`)}.`,
  ];
}

function nextStep({ ended, failed, failuresFile, byPattern, reconciliation, imported }: ImportSummary): string {
  if (ended === "stopped") return "run the same command again to resume.";
  if (ended === "broken-off") {
    return "fix the problem (`hearback doctor` helps to find it), then run the same command again to resume.";
  }
  if (reconciliation && reconciliation.missing > 0)
    return "run the same command again; it sends only the missing calls.";
  if (failed > 0 && failuresFile !== undefined) {
    return byPattern
      ? "fix the files or their names, then run the same command again."
      : "fix the rows in the manifest and run the same command again, or fix them in the failures file and import that file.";
  }
  return imported > 0 ? "run `hearback calls list` to see the calls." : "nothing to do; everything is imported.";
}
