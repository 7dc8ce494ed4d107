import type { Client, LimitsBody } from "@hearback/sdk";
import { openLineSet } from "../import/journal/line-set.ts";
import { type Entry, type InvalidRow, isInvalid } from "../manifest/entry.ts";
import { isFailureColumn } from "../manifest/failure-columns.ts";
import type { Finding } from "../manifest/finding.ts";
import { quote } from "../manifest/finding-codes.ts";
import type { Manifest } from "../manifest/open-manifest.ts";
import { walkRecordings } from "../manifest/recordings/walk-recordings.ts";
import { pluralize } from "../terminal/units.ts";
import type { NewAgent } from "./check-agents.ts";
import { checkQuotas } from "./check-quotas.ts";
import { checkReferences } from "./check-references.ts";
import { checkRows, hasErrors } from "./check-rows.ts";
import { type AgentCounts, countAgents } from "./count-agents.ts";
import { copyString, type FindingGroup, groupFindings } from "./group-findings.ts";
import { openSeenCalls, type SeenCalls } from "./seen-calls.ts";

export interface PreflightOptions {
  readonly client: Client;
  /** Create agents that do not exist. */
  readonly createAgents: boolean;
  /** Called for every finding. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
  readonly onProgress?: ((progress: { readonly rows: number; readonly bytes: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of the preflight check. */
export interface Preflight {
  /** Non-empty rows. */
  readonly rows: number;
  readonly importable: number;
  /** Rows that the mapping skips. */
  readonly skipped: number;
  readonly importableBytes: number;
  /** Unix time in seconds of the first importable call. */
  readonly firstTime: number | undefined;
  readonly lastTime: number | undefined;
  readonly agents: number;
  /** Agents to create. */
  readonly newAgents: readonly NewAgent[];
  readonly campaigns: readonly { readonly id: string; readonly rows: number; readonly known: boolean }[];
  readonly filesWithoutRow: { readonly count: number; readonly first: readonly string[] };
  readonly findings: readonly FindingGroup[];
  readonly limits: LimitsBody;
  readonly estimatedSeconds: number;
  /** The first importable call, shown as an example. */
  readonly sample: Entry | undefined;
  /** An error prevents the whole import. */
  readonly blocked: boolean;
  /** Whether a call is counted as importable. */
  isImportable(entry: Entry): boolean;
  /** Reads the manifest again and yields every row that is not importable, with all its errors. */
  invalidRows(): AsyncIterable<{ readonly row: Entry | InvalidRow; readonly errors: readonly Finding[] }>;
}

const progressEvery = 1000;
/** Measured: 150 to 200 calls of 100 KB per second on two cores, including service and storage. Large recordings depend on the network. */
const assumed = { bytesPerSecond: 30_000_000, callsPerSecond: 150 };

/** Reads the whole manifest, looks up its agents and campaigns, and reports all findings. Changes nothing. */
export async function preflight(manifest: Manifest, options: PreflightOptions): Promise<Preflight> {
  const { client, signal } = options;
  const limits = await client.limits.find({ signal });
  const maxBytes = limits.interface.recording_bytes;
  const findings = groupFindings(options.onFinding);
  for (const warning of manifest.warnings) findings.add(warning);
  const seen = openSeenCalls();
  const agentCounts = countAgents(findings.add);
  const scan = await scanRows(manifest, { ...options, maxBytes, seen, agentCounts, report: findings.add });
  // A failures file lists only some of the recordings.
  const isPart = manifest.columns.some(isFailureColumn);
  const filesWithoutRow = isPart ? { count: 0, first: [] } : await findOrphans(manifest, seen, signal);
  // Frees 20 MB for a million rows.
  seen.end();
  if (filesWithoutRow.count > 0) findings.add(filesWithoutRowFinding(filesWithoutRow));

  const tooMany = agentCounts.tooMany();
  if (tooMany) findings.add(tooMany);
  const references = await checkReferences(agentCounts, options);
  for (const finding of references.findings) findings.add(finding);
  const importable = scan.importable - references.invalidRows;
  const importableBytes = scan.bytes - references.invalidBytes;
  for (const finding of checkQuotas(limits, importable, importableBytes)) findings.add(finding);

  const wasInvalid = (row: Entry | InvalidRow) => scan.invalidLines.has(row.line) || references.hasUnknownAgent(row);
  return {
    rows: scan.rows,
    importable,
    skipped: scan.skipped,
    importableBytes,
    firstTime: scan.firstTime,
    lastTime: scan.lastTime,
    agents: [...agentCounts.agents.values()].filter((agent) => agent.importable > 0).length,
    newAgents: references.newAgents,
    campaigns: references.campaigns,
    filesWithoutRow,
    findings: findings.groups(),
    limits,
    sample: scan.sample,
    estimatedSeconds: estimate(importable, importableBytes, limits),
    blocked: references.campaigns.some(({ known }) => !known) || tooMany !== undefined,
    isImportable: (entry) => entry.bytes <= maxBytes && !wasInvalid(entry),
    async *invalidRows() {
      if (scan.rows - scan.skipped === importable) return;
      const seen = openSeenCalls();
      for await (const { row, findings } of checkRows(manifest, { seen, maxBytes, signal })) {
        if (!wasInvalid(row)) continue;
        const errors = [...findings, ...references.findingsOf(row)].filter(({ level }) => level === "error");
        yield { row, errors: errors.length > 0 ? errors : [recordingChanged(row.line)] };
      }
      seen.end();
    },
  };
}

interface ScanOptions extends PreflightOptions {
  readonly maxBytes: number;
  readonly seen: SeenCalls;
  readonly agentCounts: AgentCounts;
  readonly report: (finding: Finding) => void;
}

async function scanRows(manifest: Manifest, { maxBytes, seen, agentCounts, report, onProgress, signal }: ScanOptions) {
  const scan = {
    rows: 0,
    importable: 0,
    skipped: 0,
    bytes: 0,
    firstTime: undefined as number | undefined,
    lastTime: undefined as number | undefined,
    sample: undefined as Entry | undefined,
    invalidLines: openLineSet(),
  };
  const onSkipped = (file: string | undefined) => {
    scan.rows++;
    scan.skipped++;
    if (file !== undefined) seen.addFile(file, 0);
  };
  for await (const { row, findings } of checkRows(manifest, { seen, maxBytes, signal, onSkipped })) {
    scan.rows++;
    if (scan.rows % progressEvery === 0) onProgress?.({ rows: scan.rows, bytes: scan.bytes });
    for (const finding of findings) report(finding);
    if (isInvalid(row) || hasErrors(findings)) {
      scan.invalidLines.add(row.line);
      agentCounts.add(row, undefined);
      continue;
    }
    agentCounts.add(row, row.bytes);
    scan.importable++;
    scan.sample ??= row;
    scan.bytes += row.bytes;
    scan.firstTime = Math.min(scan.firstTime ?? row.happenedAt, row.happenedAt);
    scan.lastTime = Math.max(scan.lastTime ?? row.happenedAt, row.happenedAt);
  }
  onProgress?.({ rows: scan.rows, bytes: scan.bytes });
  return scan;
}

async function findOrphans({ recordings }: Manifest, seen: SeenCalls, signal?: AbortSignal) {
  const first: string[] = [];
  let count = 0;
  for await (const files of walkRecordings(recordings, { signal, onUnreadable: () => {} }))
    for (const file of files) {
      if (seen.hasFile(file)) continue;
      count++;
      if (first.length < 20) first.push(copyString(file));
    }
  return { count, first };
}

const filesWithoutRowFinding = ({ count, first }: Preflight["filesWithoutRow"]): Finding => ({
  code: "file_without_row",
  level: "warning",
  line: undefined,
  detail: `${pluralize(count, "file")} in the recordings folder ${count === 1 ? "has" : "have"} no row${count > 3 ? ", such as" : ":"} ${first.slice(0, 3).map(quote).join(", ")}.`,
  fix: "Add rows for the files that are calls. Files without a row are ignored.",
});

function estimate(calls: number, bytes: number, limits: LimitsBody): number {
  const callsPerSecond = Math.min(assumed.callsPerSecond, limits.workspace.imports_per_second.limit ?? Infinity);
  return Math.ceil(Math.max(calls / callsPerSecond, bytes / assumed.bytesPerSecond));
}

/** For a row that was invalid at first and is valid now. */
export const recordingChanged = (line: number): Finding => ({
  code: "file_changed",
  level: "error",
  line,
  detail: "The recording changed after the preflight check.",
  fix: "Wait until the recording is complete, then run the command again.",
});
