import type { Client, LimitsBody } from "@hearback/sdk";
import { openLineSet } from "../import/line-set.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Finding } from "../manifest/finding.ts";
import { quote } from "../manifest/finding-codes.ts";
import type { Manifest } from "../manifest/open-manifest.ts";
import { isOwnColumn } from "../manifest/own-columns.ts";
import { walkRecordings } from "../manifest/walk-recordings.ts";
import { askService } from "./ask-service.ts";
import { type FindingGroup, gatherFindings, ownCopy } from "./gather-findings.ts";
import { judgeAgents, type NewAgent } from "./judge-agents.ts";
import { judgeQuotas } from "./judge-quotas.ts";
import { openSeenCalls, type SeenCalls } from "./seen-calls.ts";
import { tallyAgents } from "./tally-agents.ts";

export interface SurveyOptions {
  readonly client: Client;
  /** Agents that do not exist are to be created. */
  readonly createAgents: boolean;
  /** Every finding with its row, as it is made. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
  readonly onProgress?: ((progress: { readonly rows: number; readonly bytes: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What there is to import, and what stands in the way. */
export interface Survey {
  /** Rows with something in them. */
  readonly rows: number;
  readonly importable: number;
  /** Rows that the mapping leaves out. */
  readonly skipped: number;
  readonly importableBytes: number;
  /** Unix time in seconds, of the calls that can be imported. */
  readonly firstTime: number | undefined;
  readonly lastTime: number | undefined;
  readonly agents: number;
  /** They do not exist and are to be created. */
  readonly newAgents: readonly NewAgent[];
  /** They do not exist and are not created, by e-mail address in small letters: their calls cannot be imported. */
  readonly unknownAgents: ReadonlySet<string>;
  readonly campaigns: readonly { readonly id: string; readonly rows: number; readonly known: boolean }[];
  readonly filesWithoutRow: { readonly count: number; readonly first: readonly string[] };
  readonly findings: readonly FindingGroup[];
  readonly limits: LimitsBody;
  readonly estimatedSeconds: number;
  /** The first call that can be imported, to be looked at. */
  readonly sample: Entry | undefined;
  /** Nothing may be imported before it is mended. */
  readonly blocked: boolean;
  /** Whether a call is one of those counted as importable. */
  isImportable(entry: Entry): boolean;
}

const progressEvery = 1000;
/** Two cores took 150 to 200 calls of 100 KB a second, service and storage included. How fast large ones are sent depends on the line. */
const assumed = { bytesPerSecond: 30_000_000, callsPerSecond: 150 };

/** Reads everything once, asks the service what it knows, and says what was found. Changes nothing. */
export async function survey(manifest: Manifest, options: SurveyOptions): Promise<Survey> {
  const { client, signal } = options;
  const limits = await client.limits.find({ signal });
  const findings = gatherFindings(options.onFinding);
  const seen = openSeenCalls();
  const tally = tallyAgents(findings.add);
  const passed = await passRows(manifest, { ...options, limits, seen, tally, report: findings.add });
  // A file of failures names some of the recordings only, as it should.
  const isPart = manifest.columns.some(isOwnColumn);
  const filesWithoutRow = isPart ? { count: 0, first: [] } : await findOrphans(manifest, seen, signal);
  // With a million rows it is 20 MB, which the import needs for other things.
  seen.end();
  if (filesWithoutRow.count > 0) findings.add(orphaned(filesWithoutRow));

  const tooMany = tally.tooMany();
  if (tooMany) findings.add(tooMany);
  const emails = [...tally.agents.keys()];
  const campaignIds = [...tally.campaigns.keys()];
  const known = await askService({ client, campaigns: campaignIds, agents: emails, signal });
  for (const id of known.unknownCampaigns) findings.add(campaignUnknown(id, tally.campaigns.get(id)?.firstLine));
  const judged = judgeAgents(tally.agents, known.unknownAgents, options.createAgents);
  for (const finding of judged.findings) findings.add(finding);
  const importable = passed.importable - judged.lostRows;
  const importableBytes = passed.bytes - judged.lostBytes;
  for (const finding of judgeQuotas(limits, importable, importableBytes)) findings.add(finding);

  const groups = findings.groups();
  const maxBytes = limits.interface.recording_bytes;
  return {
    rows: passed.rows,
    importable,
    skipped: passed.skipped,
    importableBytes,
    firstTime: passed.firstTime,
    lastTime: passed.lastTime,
    agents: tally.agents.size,
    newAgents: judged.newAgents,
    unknownAgents: judged.unknown,
    campaigns: campaignIds.map((id) => ({
      id,
      rows: tally.campaigns.get(id)?.rows ?? 0,
      known: !known.unknownCampaigns.has(id),
    })),
    filesWithoutRow,
    findings: groups,
    limits,
    sample: passed.sample,
    estimatedSeconds: estimate(importable, importableBytes, limits),
    blocked: known.unknownCampaigns.size > 0 || tooMany !== undefined,
    isImportable: (entry) =>
      entry.bytes <= maxBytes &&
      !judged.unknown.has(entry.agentEmail.toLowerCase()) &&
      !passed.duplicates.has(entry.line),
  };
}

interface Pass extends SurveyOptions {
  readonly limits: LimitsBody;
  readonly seen: SeenCalls;
  readonly tally: ReturnType<typeof tallyAgents>;
  readonly report: (finding: Finding) => void;
}

async function passRows(manifest: Manifest, { limits, seen, tally, report, onProgress, signal }: Pass) {
  const passed = {
    rows: 0,
    importable: 0,
    skipped: 0,
    bytes: 0,
    firstTime: undefined as number | undefined,
    lastTime: undefined as number | undefined,
    sample: undefined as Entry | undefined,
    /** The lines of rows that are the same call as a row before. */
    duplicates: openLineSet(),
  };
  const skip = (file: string | undefined) => {
    passed.rows++;
    passed.skipped++;
    if (file !== undefined) seen.noteFile(file, 0);
  };
  for await (const item of manifest.entries(signal, skip)) {
    if ("code" in item) {
      report(item);
      if (item.file !== undefined) seen.noteFile(item.file, item.line ?? 0);
      if (item.cells) passed.rows++;
      continue;
    }
    passed.rows++;
    if (passed.rows % progressEvery === 0) onProgress?.({ rows: passed.rows, bytes: passed.bytes });
    const wrong = compareWithOthers(item, seen) ?? tooLarge(item, limits.interface.recording_bytes);
    if (wrong) report(wrong);
    if (wrong?.code === "duplicate_row") passed.duplicates.add(item.line);
    if (wrong?.level === "error") continue;
    tally.add(item);
    passed.importable++;
    passed.sample ??= item;
    passed.bytes += item.bytes;
    passed.firstTime = Math.min(passed.firstTime ?? item.happenedAt, item.happenedAt);
    passed.lastTime = Math.max(passed.lastTime ?? item.happenedAt, item.happenedAt);
  }
  onProgress?.({ rows: passed.rows, bytes: passed.bytes });
  return passed;
}

function compareWithOthers(entry: Entry, seen: SeenCalls): Finding | undefined {
  const { line, file, cells } = entry;
  const before = seen.note(entry);
  if (before.is === "new") return undefined;
  if (before.is === "same_call")
    return {
      code: "duplicate_row",
      level: "error",
      line,
      detail: `The row is the same call as line ${before.line}: the same recording, agent, campaign and time.`,
      fix: "Remove one of them; nothing is lost, the call is imported once.",
      cells,
      file,
    };
  return {
    code: "file_named_twice",
    level: "warning",
    line,
    detail: `The recording ${quote(file)} was named in ${before.line === 0 ? "another row" : `line ${before.line}`} already, with another agent, campaign or time.`,
    fix: "Check which of them is right: both are imported, as two calls.",
  };
}

const tooLarge = ({ line, file, bytes, cells }: Entry, most: number): Finding | undefined =>
  bytes <= most
    ? undefined
    : {
        code: "file_too_large",
        level: "error",
        line,
        detail: `The file ${quote(file)} has ${bytes} bytes; the service takes ${most}.`,
        fix: "Compress it (for example to MP3 or Opus), or have the limit of the service raised.",
        cells,
        file,
      };

async function findOrphans({ recordings }: Manifest, seen: SeenCalls, signal?: AbortSignal) {
  const first: string[] = [];
  let count = 0;
  for await (const files of walkRecordings(recordings, { signal, onUnreadable: () => {} }))
    for (const file of files) {
      if (seen.hasFile(file)) continue;
      count++;
      if (first.length < 20) first.push(ownCopy(file));
    }
  return { count, first };
}

const orphaned = ({ count, first }: Survey["filesWithoutRow"]): Finding => ({
  code: "file_without_row",
  level: "warning",
  line: undefined,
  detail: `${count.toLocaleString("en-US")} files in the folder of recordings are named in no row, such as ${first.slice(0, 3).map(quote).join(", ")}.`,
  fix: "Add rows for those that are calls; nothing is done with the others.",
});

const campaignUnknown = (id: string, firstLine: number | undefined): Finding => ({
  code: "campaign_unknown",
  level: "error",
  line: undefined,
  detail: `There is no campaign ${quote(id)} for this key; line ${firstLine ?? "?"} is the first that names it.`,
  fix: "Correct it, or have it created (POST /campaigns, hearback-server campaign create); a key may be allowed some campaigns only.",
});

function estimate(calls: number, bytes: number, limits: LimitsBody): number {
  const callsPerSecond = Math.min(assumed.callsPerSecond, limits.workspace.imports_per_second.limit ?? Infinity);
  return Math.ceil(Math.max(calls / callsPerSecond, bytes / assumed.bytesPerSecond));
}
