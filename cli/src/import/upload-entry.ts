import { type CallBody, type Client, RecordingError, type ServiceError } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import type { AdaptiveConcurrency } from "./concurrency/adaptive-concurrency.ts";
import { EntryError } from "./entry-error.ts";
import { fingerprintOf } from "./fingerprint-of.ts";
import type { ImportStats } from "./import-stats.ts";
import { checkUnchanged, type ReadRecording } from "./read-recording.ts";
import type { Shutdown } from "./shutdown.ts";

/** An entry with its hashed recording. */
export interface HashedEntry {
  readonly entry: Entry;
  readonly key: string;
  readonly read: ReadRecording;
}

export interface Uploading {
  readonly client: Client;
  readonly concurrency: AdaptiveConcurrency;
  readonly shutdown: Shutdown;
  readonly stats: ImportStats;
}

/** Give up on a recording after this many failures while others succeed. */
const maxStrikes = 10;
const maxTruncations = 3;

/** Uploads one call and retries until the service accepts it. Throws if it cannot be imported. */
export async function uploadEntry(
  hashedEntry: HashedEntry,
  { client, concurrency, shutdown, stats }: Uploading,
): Promise<void> {
  const { entry, key, read } = hashedEntry;
  const strikes = openStrikes(stats);
  const send = async (attempt: number): Promise<Pick<CallBody, "id" | "status" | "duplicate">> => {
    // The previous attempt may have succeeded without a response. A look-up is cheaper than another upload.
    if (attempt > 1) {
      const [found] = await client.calls.lookUp([fingerprintOf(entry, read.sha256)], { signal: shutdown.immediate });
      if (found && found.status !== "missing" && found.id !== null)
        return { id: found.id, status: found.status === "present" ? "ready" : found.status, duplicate: false };
      strikes.answers();
    }
    checkUnchanged(entry, "before it was sent");
    const { campaignId, agentEmail, happenedAt, metadata } = entry;
    const call = { file: read.recording, campaignId, agentEmail, happenedAt, metadata: [...metadata] };
    const answer = await client.calls.import({ ...call, signal: shutdown.immediate }).catch((error) => {
      throw read.problem() ?? (error instanceof RecordingError ? notReadable(error) : error);
    });
    checkAnswer(answer, hashedEntry, stats);
    // After a first attempt, the buffer is no longer in use. An aborted earlier attempt may still be sending it.
    if (attempt === 1) read.free();
    return answer;
  };
  const { id, status, duplicate } = await concurrency.run(send, { signal: shutdown.graceful, giveUp: strikes.giveUp });
  checkStored(entry, id, status);
  const stored = status === "erased" || status === "failed" ? status : "imported";
  stats.completed({
    entry,
    key,
    sha256: read.sha256,
    id,
    result: duplicate && stored === "imported" ? "present" : stored,
  });
}

/** Throws if the stored recording may be incomplete. A later import of the complete one would create a second call. */
function checkStored(entry: Entry, id: string, status: CallBody["status"]): void {
  try {
    checkUnchanged(entry, "while it was sent");
  } catch (error) {
    if (status === "erased" || !(error instanceof EntryError) || error.code !== "file_changed") throw error;
    const fix = `Erase that call (DELETE /calls/${id}), wait until the recording is complete, then run the command again.`;
    throw new EntryError("file_changed_late", `${error.message} The earlier version is stored as call ${id}.`, fix);
  }
}

const notReadable = (error: RecordingError) => new EntryError("file_unreadable", error.message);

/** Throws if the stored call differs from the entry. */
function checkAnswer(answer: CallBody, { entry, read }: HashedEntry, stats: ImportStats): void {
  const differing = [
    answer.recording.sha256 !== read.sha256 && "recording",
    answer.conversation_timestamp !== entry.happenedAt && "conversation_timestamp",
    // An existing call may have been reassigned to another agent.
    !answer.duplicate && !isAgent(answer, entry) && "agent",
  ].filter(Boolean);
  if (differing.length > 0) {
    const detail = `The service returned call ${answer.id} with a different ${differing.join(", ")} than was sent.`;
    throw new EntryError("answer_differs", detail);
  }
  if (answer.status !== "erased" && !isAgent(answer, entry))
    stats.notice(entry, "agent_differs", `This call exists (${answer.id}) but was reassigned to another agent.`);
}

const isAgent = ({ agent }: CallBody, { agentEmail }: Entry) =>
  agent.email.trim().toLowerCase() === agentEmail.trim().toLowerCase();

/**
 * Decides whether this recording fails rather than the service: it failed repeatedly while the service accepted other
 * recordings or answered look-ups. Responses that report an overloaded or unavailable service never count.
 */
function openStrikes({ counts }: ImportStats) {
  let strikes = 0;
  let importedBefore = -1;
  return {
    /** The service just answered a look-up. */
    answers() {
      importedBefore = -1;
    },
    giveUp({ status, code }: ServiceError, attempt: number): boolean {
      if (status === 429 || status === 502 || status === 503 || status === 504) return false;
      if (status === 400) return attempt >= maxTruncations;
      if (code === "internal" && attempt >= maxStrikes) return true;
      if (counts.imported !== importedBefore) strikes++;
      importedBefore = counts.imported;
      return strikes >= maxStrikes;
    },
  };
}
