import { type CallsFoundBody, ServiceError } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import { type Explanation, explainFailure, fixes } from "./explain-failure.ts";
import { fingerprintOf } from "./fingerprint-of.ts";
import type { Pipeline } from "./pipeline.ts";
import { concernsAll } from "./stopping.ts";
import type { Prepared } from "./upload-entry.ts";

/** How many are looked up at once: at most, and at least while more are being read. Large ones are not waited for. */
const lookUps = { most: 200, least: 20, leastBytes: 2 * 1024 * 1024 };

type Found = CallsFoundBody["calls"][number];

/** The second part of an import: asks which of the calls that were read are there already. */
export async function lookUpAhead(pipeline: Pipeline): Promise<void> {
  const { client, pace, gate, stopping, stopped, hashed, missing, ended } = pipeline;
  // Not as soon as anything is hashed: a few large look-ups cost the service less than many small ones.
  const many = () => hashed.length >= lookUps.least || sumOf(hashed) >= lookUps.leastBytes || pipeline.reading === 0;
  const worthIt = () => hashed.length >= lookUps.most || (hashed.length > 0 && missing.length <= pace.most && many());
  for (;;) {
    await gate.until(() => stopped() || worthIt() || (ended.reading && hashed.length === 0));
    if (stopped() || hashed.length === 0) break;
    const batch = hashed.splice(0, lookUps.most);
    const fingerprints = batch.map(({ entry, read }) => fingerprintOf(entry, read.sha256));
    const ask = () => client.calls.lookUp(fingerprints, { signal: stopping.atOnce });
    const found = await pace.run(ask, { signal: stopping.gently }).catch(notAnswered);
    for (const [at, prepared] of batch.entries()) settle(pipeline, prepared, found[at]);
    gate.wake();
  }
  ended.lookingUp = true;
  gate.wake();
}

function settle(
  { tally, missing, letGo, agentProblems }: Pipeline,
  prepared: Prepared,
  found: Found | undefined,
): void {
  const { entry, key, read } = prepared;
  if (found && found.status !== "missing") {
    tally.settled({ entry, key, sha256: read.sha256, id: found.id, result: found.status });
    read.free();
    letGo(entry);
  } else if (found?.reason === "agent_not_found" || found?.reason === "campaign_not_found") {
    const problem = agentProblems?.get(entry.agentEmail.toLowerCase());
    tally.failed(entry, undefined, whyMissing(entry, found.reason, problem));
    letGo(entry);
  } else missing.push(prepared);
}

const sumOf = (items: readonly Prepared[]) => items.reduce((sum, { entry }) => sum + entry.bytes, 0);

/** A look-up that is refused as a whole says nothing about each: then each is uploaded, and answered for itself. */
function notAnswered(error: unknown): readonly Found[] {
  if (error instanceof ServiceError && !concernsAll(error)) return [];
  throw error;
}

function whyMissing(
  { agentEmail, campaignId }: Entry,
  code: "agent_not_found" | "campaign_not_found",
  problem: string | undefined,
): Explanation {
  const fix = fixes[code] ?? explainFailure(undefined).fix;
  if (code === "campaign_not_found")
    return { code, reason: `There is no campaign "${campaignId}" in this workspace, or the key is not for it.`, fix };
  if (problem === undefined) return { code, reason: `There is no agent "${agentEmail}" in this workspace.`, fix };
  return {
    code,
    reason: `The agent "${agentEmail}" could not be created: ${problem}`,
    fix: "Correct the agent's e-mail address or name, or create the agent yourself; then run the command again.",
  };
}
