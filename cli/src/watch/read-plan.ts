import { stat } from "node:fs/promises";
import { type AgentsFile, openAgentsFile } from "../manifest/agents-file.ts";
import type { Finding } from "../manifest/finding.ts";
import { isDefect, ManifestError } from "../manifest/finding-codes.ts";
import type { Mapping } from "../manifest/mapping.ts";
import { compilePattern, type Pattern } from "../manifest/pattern.ts";
import { planFields } from "../manifest/plan-fields.ts";
import { openCallReader } from "../manifest/read-call.ts";
import { openTimeReader } from "../manifest/times/read-time.ts";
import type { ReadyRecording } from "./find-ready.ts";
import type { Plan } from "./import-pass.ts";
import type { Failure } from "./marks.ts";
import { readSidecar } from "./sidecar.ts";

export interface PlanOptions {
  readonly mapping: Mapping;
  /** File name pattern. */
  readonly pattern: string | undefined;
  readonly hasSidecar: boolean;
  readonly agentsFile: string | undefined;
  readonly campaign: string | undefined;
  readonly timeFormat: string | undefined;
  readonly timeZone: string | undefined;
  readonly ambiguous: "earlier" | "later" | undefined;
}

type Reader = ReturnType<typeof openCallReader>;

/** Cache size. Each distinct set of sidecar members needs its own reader. */
const maxReaders = 100;
/** Cache TTL. A reader compares times with the moment of its creation to detect times in the future. */
const freshMs = 60_000;

/** Creates the plan that turns recordings into entries. Throws a ManifestError if the options are invalid. */
export async function openPlan(options: PlanOptions): Promise<Plan> {
  const { hasSidecar, mapping } = options;
  const list = await openAgentsList(options.agentsFile);
  const pattern = options.pattern === undefined ? undefined : compileOrThrow(options.pattern);
  // A mapping with one column reads file names: that column is the path of the recording.
  const [alias] = mapping.columns?.length === 1 ? mapping.columns : [];
  const named = namesIn(mapping);
  const readers = new Map<string, Reader>();
  let madeAtMs = Date.now();

  function makeReader(columns: readonly string[]): Reader {
    const { campaign } = options;
    const agents = list.agents();
    const plan = planFields({
      columns,
      mapping: { ...mapping, file: "{file}" },
      campaign,
      hasAgentsFile: agents !== undefined,
    });
    const readTime = openTimeReader({
      format: options.timeFormat ?? pattern?.timeFormat ?? mapping.time?.format,
      zone: options.timeZone ?? mapping.time?.zone,
      ambiguous: options.ambiguous ?? mapping.time?.ambiguous,
    });
    if (isDefect(readTime)) throw new ManifestError([readTime]);
    return openCallReader({ columns, plan, readTime, agents });
  }

  function readerOf(columns: readonly string[]): Reader {
    if (Date.now() - madeAtMs > freshMs || readers.size > maxReaders) {
      readers.clear();
      madeAtMs = Date.now();
    }
    const key = JSON.stringify(columns);
    const reader = readers.get(key) ?? makeReader(columns);
    readers.set(key, reader);
    return reader;
  }

  async function cellsOf({ path, sidecar }: ReadyRecording): Promise<ReadonlyMap<string, string>> {
    const cells = new Map<string, string>();
    if (sidecar) for (const name of named) cells.set(name, "");
    if (sidecar) for (const [name, value] of await readSidecar(sidecar)) cells.set(name, value);
    if (alias !== undefined) cells.set(alias, path);
    for (const [name, value] of readName(pattern, path)) cells.set(name, value);
    return cells.set("file", path);
  }

  // Without sidecars all recordings have the same columns: validate the mapping now.
  if (!hasSidecar)
    readerOf([...new Set([...(alias === undefined ? [] : [alias]), ...(pattern?.columns ?? []), "file"])]);

  return {
    async read(ready, line) {
      try {
        if (await list.hasChanged()) readers.clear();
        const cells = await cellsOf(ready);
        const reading = readerOf([...cells.keys()])([...cells.values()]);
        if ("skipped" in reading) return "skipped";
        if (!reading.call) return toFailure(reading.defects);
        const { path, absolutePath, bytes, modifiedMs } = ready;
        return { ...reading.call, line, file: path, path: absolutePath, bytes, modifiedMs, cells: [] };
      } catch (error) {
        if (error instanceof ManifestError) return toFailure(error.findings);
        if (!(error instanceof Error && (error instanceof SyntaxError || "errno" in error))) throw error;
        return {
          code: "sidecar_invalid",
          reason: `Cannot read the sidecar of ${ready.path}: ${error.message}.`,
          fix: "Write one complete JSON object in UTF-8. The sidecar is read again when it changes.",
        };
      }
    },
  };
}

/** One failure with the first code and every problem. */
const toFailure = (problems: readonly Pick<Finding, "code" | "detail" | "fix">[]): Failure => ({
  code: problems[0]?.code ?? "unexpected",
  reason: problems.map(({ detail }) => detail).join(" "),
  fix: [...new Set(problems.map(({ fix }) => fix))].join(" "),
});

/** How often to check the agents file for changes. */
const checkEveryMs = 5000;

/** The agents file, reloaded when it changes. */
async function openAgentsList(path: string | undefined) {
  const changedAt = async () => (path === undefined ? 0 : (await stat(path).catch(() => undefined))?.mtimeMs);
  let readFrom = await changedAt();
  let agents: AgentsFile | undefined = path === undefined ? undefined : await openAgentsFile(path);
  let checkedAtMs = Date.now();
  return {
    agents: () => agents,
    async hasChanged(): Promise<boolean> {
      if (path === undefined || Date.now() - checkedAtMs < checkEveryMs) return false;
      checkedAtMs = Date.now();
      const now = await changedAt();
      if (now === undefined || now === readFrom) return false;
      readFrom = now;
      // Keep the old list if the new one is invalid: it may be half written.
      const fresh = await openAgentsFile(path).catch(() => undefined);
      agents = fresh ?? agents;
      return fresh !== undefined;
    },
  };
}

function compileOrThrow(pattern: string): Pattern {
  const compiled = compilePattern(pattern);
  if (isDefect(compiled)) throw new ManifestError([compiled]);
  return compiled;
}

function readName(pattern: Pattern | undefined, path: string): [string, string][] {
  if (!pattern) return [];
  const cells = pattern.read(path);
  if (isDefect(cells)) throw new ManifestError([cells]);
  return pattern.columns.map((name, at) => [name, cells[at] ?? ""]);
}

/** Columns that the mapping references. Missing sidecar members count as empty. */
function namesIn(mapping: Mapping): Set<string> {
  const { time, metadata, only, file, agent, agent_email, agent_name, campaign } = mapping;
  const members = [file, agent, agent_email, agent_name, campaign, time?.from, ...Object.values(metadata ?? {})];
  const templates = members.flatMap((member) => member ?? []);
  const slots = templates.flatMap((template) => [
    ...template.matchAll(/\{([^{}|]+)(?:\|\/(?:[^/\\]|\\.)+\/[a-z]*)?\}/g),
  ]);
  return new Set([
    ...slots.map(([, name = ""]) => name.trim()),
    ...Object.keys(only ?? {}).map((column) => column.replace(/\|.*$/, "")),
  ]);
}
