import { stat } from "node:fs/promises";
import { type AgentsFile, openAgentsFile } from "../manifest/agents-file.ts";
import { isDefect, ManifestError } from "../manifest/finding-codes.ts";
import type { Mapping } from "../manifest/mapping.ts";
import { compilePattern, type Pattern } from "../manifest/pattern.ts";
import { planFields } from "../manifest/plan-fields.ts";
import { openCallReader } from "../manifest/read-call.ts";
import { openTimes } from "../manifest/read-time.ts";
import type { Ready } from "./find-ready.ts";
import type { Plan } from "./import-pass.ts";
import { readSidecar } from "./sidecar.ts";

export interface PlanOptions {
  readonly mapping: Mapping;
  /** What the names of the files say. */
  readonly pattern: string | undefined;
  readonly hasSidecar: boolean;
  readonly agentsFile: string | undefined;
  readonly campaign: string | undefined;
  readonly timeFormat: string | undefined;
  readonly timeZone: string | undefined;
  readonly ambiguous: "earlier" | "later" | undefined;
}

type Reader = ReturnType<typeof openCallReader>;

/** Sidecars with other members need another plan; of more kinds than this no telephone system is capable. */
const mostKinds = 100;
/** What is in the future is decided against the time at which the reader was made. */
const freshMs = 60_000;

/** Makes what turns a recording into an entry. Throws a ManifestError if it cannot be done for any of them. */
export async function openPlan(options: PlanOptions): Promise<Plan> {
  const { hasSidecar, mapping } = options;
  const list = await openAgentsList(options.agentsFile);
  const pattern = options.pattern === undefined ? undefined : mustCompile(options.pattern);
  // A list of names has one column; here the names come from the folder.
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
    const readTime = openTimes({
      format: options.timeFormat ?? pattern?.timeFormat ?? mapping.time?.format,
      zone: options.timeZone ?? mapping.time?.zone,
      ambiguous: options.ambiguous ?? mapping.time?.ambiguous,
    });
    if (isDefect(readTime)) throw new ManifestError([readTime]);
    return openCallReader({ columns, plan, readTime, agents });
  }

  function readerOf(columns: readonly string[]): Reader {
    if (Date.now() - madeAtMs > freshMs || readers.size > mostKinds) {
      readers.clear();
      madeAtMs = Date.now();
    }
    const key = JSON.stringify(columns);
    const reader = readers.get(key) ?? makeReader(columns);
    readers.set(key, reader);
    return reader;
  }

  async function cellsOf({ path, sidecar }: Ready): Promise<ReadonlyMap<string, string>> {
    const cells = new Map<string, string>();
    if (sidecar) for (const name of named) cells.set(name, "");
    if (sidecar) for (const [name, value] of await readSidecar(sidecar)) cells.set(name, value);
    if (alias !== undefined) cells.set(alias, path);
    for (const [name, value] of readName(pattern, path)) cells.set(name, value);
    return cells.set("file", path);
  }

  // Without a sidecar all recordings have the same columns: what is wrong with them is told before anything is done.
  if (!hasSidecar)
    readerOf([...new Set([...(alias === undefined ? [] : [alias]), ...(pattern?.columns ?? []), "file"])]);

  return {
    async read(ready, line) {
      try {
        if (await list.hasChanged()) readers.clear();
        const cells = await cellsOf(ready);
        const reading = readerOf([...cells.keys()])([...cells.values()]);
        if ("skipped" in reading) return "left out";
        const [defect] = reading.defects;
        if (defect || !reading.call) return toFailure(defect ?? { code: "unexpected", detail: "", fix: "" });
        const { path, place, bytes, modifiedMs } = ready;
        return { ...reading.call, line, file: path, path: place, bytes, modifiedMs, cells: [] };
      } catch (error) {
        if (error instanceof ManifestError && error.findings[0]) return toFailure(error.findings[0]);
        if (!(error instanceof Error && (error instanceof SyntaxError || "errno" in error))) throw error;
        return {
          code: "sidecar_invalid",
          reason: `The sidecar of ${ready.path} cannot be read: ${error.message}.`,
          fix: "Write one JSON object, whole, in UTF-8; it is read again when it changes.",
        };
      }
    },
  };
}

const toFailure = ({
  code,
  detail,
  fix,
}: {
  readonly code: string;
  readonly detail: string;
  readonly fix: string;
}) => ({
  code,
  reason: detail,
  fix,
});

/** How often it is looked whether the list of agents was changed. */
const lookAgainMs = 5000;

/** The list of agents, read again when it changes: people come and go while a folder is watched. */
async function openAgentsList(path: string | undefined) {
  const changedAt = async () => (path === undefined ? 0 : (await stat(path).catch(() => undefined))?.mtimeMs);
  let readFrom = await changedAt();
  let agents: AgentsFile | undefined = path === undefined ? undefined : await openAgentsFile(path);
  let lookedAtMs = Date.now();
  return {
    agents: () => agents,
    async hasChanged(): Promise<boolean> {
      if (path === undefined || Date.now() - lookedAtMs < lookAgainMs) return false;
      lookedAtMs = Date.now();
      const now = await changedAt();
      if (now === undefined || now === readFrom) return false;
      readFrom = now;
      // One that is wrong, perhaps because it is just being written, does not take the place of one that was right.
      const fresh = await openAgentsFile(path).catch(() => undefined);
      agents = fresh ?? agents;
      return fresh !== undefined;
    },
  };
}

function mustCompile(pattern: string): Pattern {
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

/** The columns that a mapping names: a sidecar in which one of them is missing has an empty one. */
function namesIn(mapping: Mapping): Set<string> {
  const { time, metadata, only, file, agent, agent_email, agent_name, campaign } = mapping;
  const members = [file, agent, agent_email, agent_name, campaign, time?.from, ...Object.values(metadata ?? {})];
  const templates = members.flatMap((one) => one ?? []);
  const slots = templates.flatMap((one) => [...one.matchAll(/\{([^{}|]+)(?:\|\/(?:[^/\\]|\\.)+\/[a-z]*)?\}/g)]);
  return new Set([
    ...slots.map(([, name = ""]) => name.trim()),
    ...Object.keys(only ?? {}).map((column) => column.replace(/\|.*$/, "")),
  ]);
}
