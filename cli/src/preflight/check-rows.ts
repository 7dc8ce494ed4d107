import { type Entry, type InvalidRow, isInvalid } from "../manifest/entry.ts";
import type { Finding } from "../manifest/finding.ts";
import { quote } from "../manifest/finding-codes.ts";
import type { Manifest } from "../manifest/open-manifest.ts";
import { formatLimit, formatNumber } from "../terminal/units.ts";
import type { SeenCalls } from "./seen-calls.ts";

export interface CheckedRow {
  readonly row: Entry | InvalidRow;
  /** Errors and warnings of the row, including those from comparing it with earlier rows. */
  readonly findings: readonly Finding[];
}

interface CheckOptions {
  /** Collects the rows of this pass. */
  readonly seen: SeenCalls;
  /** Maximum size of a recording. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly onSkipped?: (file: string | undefined) => void;
}

/** Reads the manifest once and yields every row with its findings. Each pass gives the same results. */
export async function* checkRows(
  manifest: Manifest,
  { seen, maxBytes, signal, onSkipped }: CheckOptions,
): AsyncGenerator<CheckedRow> {
  for await (const row of manifest.entries(signal, onSkipped)) {
    if (isInvalid(row)) yield { row, findings: [...row.findings, ...compareInvalid(row, seen)] };
    else yield { row, findings: [...compareEntry(row, seen), ...checkSize(row, maxBytes)] };
  }
}

export const hasErrors = (findings: readonly Finding[]): boolean => findings.some(({ level }) => level === "error");

function compareEntry(entry: Entry, seen: SeenCalls): Finding[] {
  const { line, file } = entry;
  const before = seen.add(entry);
  if (before.is === "new") return [];
  if (before.is === "same_call") return [duplicateRow(line, before.line)];
  return [
    {
      code: "file_named_twice",
      level: "warning",
      line,
      detail: `The recording ${quote(file)} is also used by ${before.line === 0 ? "another row" : `line ${before.line}`}, with a different agent, campaign or time.`,
      fix: "Check which row is right. Both are imported, as two calls.",
    },
  ];
}

/** An invalid row does not make later rows duplicates: it is not imported. */
function compareInvalid(row: InvalidRow, seen: SeenCalls): Finding[] {
  const { line, file, campaignId, agentEmail, happenedAt } = row;
  if (file === undefined) return [];
  const isCall = campaignId !== undefined && agentEmail !== undefined && happenedAt !== undefined;
  const first = isCall ? seen.firstLineOf({ line, file, campaignId, agentEmail, happenedAt }) : undefined;
  seen.addFile(file, line);
  return first === undefined ? [] : [duplicateRow(line, first)];
}

const duplicateRow = (line: number, first: number): Finding => ({
  code: "duplicate_row",
  level: "error",
  line,
  detail: `Duplicate of line ${first}: same recording, agent, campaign and time.`,
  fix: "Remove one of the rows. The call is imported once.",
});

const checkSize = ({ line, file, bytes }: Entry, max: number): Finding[] =>
  bytes <= max
    ? []
    : [
        {
          code: "file_too_large",
          level: "error",
          line,
          detail: `The file ${quote(file)} has ${formatNumber(bytes)} bytes; the service accepts up to ${formatNumber(max)} (${formatLimit(max)}).`,
          fix: "Compress it (for example to MP3 or Opus), or ask the server operator to raise the limit.",
        },
      ];
