import { type CallsFoundBody, ServiceError } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import { type Explanation, explainFailure, fixes } from "./explain-failure.ts";
import { fingerprintOf } from "./fingerprint-of.ts";
import { isRefusal, type Refusal } from "./lookup-refusal.ts";
import type { Pipeline } from "./pipeline.ts";
import { isFatal } from "./shutdown.ts";
import type { HashedEntry } from "./upload-entry.ts";

/** Batch size of look-ups: maximum, and minimum while more entries are being read. `minBytes` caps the wait. */
const lookUps = { max: 200, min: 20, minBytes: 2 * 1024 * 1024 };

type Found = CallsFoundBody["calls"][number];

/** Second stage of the pipeline: looks up which of the hashed entries the service already has. */
export async function lookUpAhead(pipeline: Pipeline): Promise<void> {
  const { client, concurrency, condition, shutdown, stopped, hashed, missing, ended } = pipeline;
  // Batch: a few large look-ups cost the service less than many small ones.
  const hasEnough = () => hashed.length >= lookUps.min || sumOf(hashed) >= lookUps.minBytes || pipeline.reading === 0;
  const shouldLookUp = () =>
    hashed.length >= lookUps.max || (hashed.length > 0 && missing.length <= concurrency.max && hasEnough());
  for (;;) {
    await condition.waitUntil(() => stopped() || shouldLookUp() || (ended.reading && hashed.length === 0));
    if (stopped() || hashed.length === 0) break;
    const batch = hashed.splice(0, lookUps.max);
    const fingerprints = batch.map(({ entry, read }) => fingerprintOf(entry, read.sha256));
    const ask = () => client.calls.lookUp(fingerprints, { signal: shutdown.immediate });
    const found = await concurrency.run(ask, { signal: shutdown.graceful }).catch(ignoreRejection);
    for (const [at, hashedEntry] of batch.entries()) handleResult(pipeline, hashedEntry, found[at]);
    condition.notifyAll();
  }
  ended.lookingUp = true;
  condition.notifyAll();
}

function handleResult(
  { stats, missing, release, agentProblems }: Pipeline,
  hashedEntry: HashedEntry,
  found: Found | undefined,
): void {
  const { entry, key, read } = hashedEntry;
  if (found && found.status !== "missing") {
    stats.completed({ entry, key, sha256: read.sha256, id: found.id, result: found.status });
    read.free();
    release(entry);
  } else if (isRefusal(found?.reason)) {
    const problem = agentProblems?.get(entry.agentEmail.toLowerCase());
    stats.failed(entry, undefined, explainMissing(entry, found.reason, problem));
    release(entry);
  } else missing.push(hashedEntry);
}

const sumOf = (items: readonly HashedEntry[]) => items.reduce((sum, { entry }) => sum + entry.bytes, 0);

/** If the service rejects a look-up as a whole, upload every entry and let the service answer for each. */
function ignoreRejection(error: unknown): readonly Found[] {
  if (error instanceof ServiceError && !isFatal(error)) return [];
  throw error;
}

function explainMissing({ agentEmail, campaignId }: Entry, code: Refusal, problem: string | undefined): Explanation {
  const fix = fixes[code] ?? explainFailure(undefined).fix;
  if (code === "campaign_not_found")
    return { code, reason: `No campaign "${campaignId}" in this workspace, or the API key cannot access it.`, fix };
  if (code === "user_not_agent") return { code, reason: `The user "${agentEmail}" is not an agent.`, fix };
  if (problem === undefined) return { code, reason: `No agent "${agentEmail}" in this workspace.`, fix };
  return {
    code,
    reason: `The agent "${agentEmail}" could not be created: ${problem}`,
    fix: "Correct the agent's email address or name, or create the agent yourself. Then run the command again.",
  };
}
