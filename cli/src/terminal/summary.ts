import { marks, type Style } from "./style.ts";
import { harmless } from "./text-width.ts";
import { counted, inBytes, inDigits, inRate, inTime } from "./units.ts";

/** What became of an import. */
export interface ImportSummary {
  /** stopped: by Ctrl-C; broken-off: it could not go on. Both are continued by running it again. */
  readonly ended: "done" | "stopped" | "broken-off";
  /** Why it ended before its end. */
  readonly reason: string | undefined;
  /** Rows that should be on the service when all is well. */
  readonly total: number;
  readonly imported: number;
  readonly present: number;
  readonly failed: number;
  /** Erased on request before: not taken again, and that is right. */
  readonly erased: number;
  readonly agentsCreated: number;
  /** Bytes of recordings that were sent. */
  readonly sentBytes: number;
  readonly durationMs: number;
  /** Where the rows that failed are, if there are any. */
  readonly failuresFile: string | undefined;
  /** undefined: it was not done. */
  readonly proof: ImportProof | undefined;
}

export interface ImportProof {
  /** Rows that were compared, and those of them that the service has (or has erased on request). */
  readonly rows: number;
  readonly found: number;
  readonly missing: number;
}

/** The end of an import as a person likes to read it: what happened, whether it is proven, what to do next. */
export function tellSummary(summary: ImportSummary, style: Style): string {
  const lines = [headline(summary, style), "", ...figures(summary, style), "", ...proof(summary, style)];
  return `${lines.join("\n")}\n${style.bold("Next:")} ${nextStep(summary)}\n`;
}

function headline(summary: ImportSummary, style: Style): string {
  const { ended, reason, failed, proof: proven, imported, durationMs } = summary;
  const { good, bad, warning } = marks(style);
  const took = imported > 0 ? ` in ${inTime(durationMs)}` : "";
  if (ended === "stopped") return `${warning} ${style.bold("Stopped.")} What was imported stays imported.`;
  if (ended === "broken-off") return `${bad} ${style.bold("Broken off.")} ${harmless(reason ?? "")}`;
  if (proven && proven.missing > 0) return `${bad} ${style.bold("Done, but the service does not have everything.")}`;
  if (failed > 0) return `${warning} ${style.bold(`Done${took}, but ${counted(failed, "row")} failed.`)}`;
  return `${good} ${style.bold(`Done${took}.`)}`;
}

function figures(summary: ImportSummary, style: Style): string[] {
  const { imported, present, failed, erased, agentsCreated, sentBytes, durationMs, failuresFile, total } = summary;
  const left = total - imported - present - failed - erased;
  const seconds = durationMs / 1000;
  const speed = imported > 0 && seconds > 0 ? `, ${inRate(imported / seconds)}, ${inBytes(sentBytes / seconds)}/s` : "";
  const rows: readonly (readonly [count: number, label: string, note: string, paint?: (text: string) => string])[] = [
    [imported, "imported", imported > 0 ? `${inBytes(sentBytes)}${speed}` : ""],
    [present, "there already", "not sent again"],
    [erased, "erased on request", "not imported again"],
    [agentsCreated, "agents created", ""],
    [failed, "failed", failuresFile === undefined ? "" : `named in ${harmless(failuresFile)}`, style.red],
    [left, "not yet", ""],
  ];
  // A zero is said of what was to be done, and of nothing else.
  const told = rows.filter(([count, label]) => count > 0 || label === "imported");
  const width = Math.max(...told.map(([count]) => inDigits(count).length));
  return told.map(([count, label, note, paint = String]) => {
    const figure = paint(`${inDigits(count).padStart(width)} ${label}`);
    return `  ${figure}${note && style.dim(`  ${note}`)}`;
  });
}

function proof({ proof: proven, ended }: ImportSummary, style: Style): string[] {
  const { good, bad } = marks(style);
  if (!proven) return ended === "done" ? [`${style.yellow("!")} Not proven: the reconciliation was left out.`] : [];
  const { rows, found, missing } = proven;
  if (missing === 0 && found === rows) {
    return [`${good} Proof: ${inDigits(found)} of ${counted(rows, "row")} are on the service.`];
  }
  const there = `Proof: ${inDigits(found)} of ${counted(rows, "row")} are on the service`;
  if (missing === 0) return [`${marks(style).warning} ${there}; the others failed.`];
  return [`${bad} ${there}, ${style.red(`${inDigits(missing)} that should be there are missing`)}.`];
}

function nextStep({ ended, failed, failuresFile, proof: proven, imported }: ImportSummary): string {
  if (ended === "stopped") return "run the same command again; it continues where it stopped.";
  if (ended === "broken-off") {
    return "mend that (`hearback doctor` looks closer), then run the same command again; it continues where it stopped.";
  }
  if (proven && proven.missing > 0) return "run the same command again; it sends only what is missing.";
  if (failed > 0 && failuresFile !== undefined) {
    return `mend what the column hearback_fix says, then import ${harmless(failuresFile)}.`;
  }
  return imported > 0 ? "look at them with `hearback calls list`." : "nothing; everything is there.";
}
