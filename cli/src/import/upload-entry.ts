import { type CallBody, type Client, RecordingError, type ServiceError } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import { EntryError } from "./entry-error.ts";
import { fingerprintOf } from "./fingerprint-of.ts";
import type { Pace } from "./pace.ts";
import { checkUnchanged, type ReadRecording } from "./read-recording.ts";
import type { Stopping } from "./stopping.ts";
import type { Tally } from "./tally.ts";

/** An entry whose recording was read. */
export interface Prepared {
  readonly entry: Entry;
  readonly key: string;
  readonly read: ReadRecording;
}

export interface Uploading {
  readonly client: Client;
  readonly pace: Pace;
  readonly stopping: Stopping;
  readonly tally: Tally;
}

/** So often a recording may fail while others succeed before it is left aside. */
const mostStrikes = 10;
const mostCuts = 3;

/** Uploads one call, however long it takes until the service takes it. Throws if it will not. */
export async function uploadEntry(prepared: Prepared, { client, pace, stopping, tally }: Uploading): Promise<void> {
  const { entry, key, read } = prepared;
  const strikes = openStrikes(tally);
  const send = async (attempt: number): Promise<Pick<CallBody, "id" | "status" | "duplicate">> => {
    // The attempt before may have arrived although its answer did not. And asking costs less than a recording sent in vain.
    if (attempt > 1) {
      const [found] = await client.calls.lookUp([fingerprintOf(entry, read.sha256)], { signal: stopping.atOnce });
      if (found && found.status !== "missing" && found.id !== null)
        return { id: found.id, status: found.status === "present" ? "ready" : found.status, duplicate: false };
      strikes.answers();
    }
    checkUnchanged(entry, "before it was sent");
    const { campaignId, agentEmail, happenedAt, metadata } = entry;
    const call = { file: read.recording, campaignId, agentEmail, happenedAt, metadata: [...metadata] };
    const answer = await client.calls.import({ ...call, signal: stopping.atOnce }).catch((error) => {
      throw read.problem() ?? (error instanceof RecordingError ? notReadable(error) : error);
    });
    checkAnswer(answer, prepared, tally);
    // Whoever has answered for all of it has received all of it; after a broken-off attempt nobody knows.
    if (attempt === 1) read.free();
    return answer;
  };
  const { id, status, duplicate } = await pace.run(send, { signal: stopping.gently, giveUp: strikes.giveUp });
  checkStored(entry, id, status);
  const stored = status === "erased" || status === "failed" ? status : "imported";
  tally.settled({
    entry,
    key,
    sha256: read.sha256,
    id,
    result: duplicate && stored === "imported" ? "present" : stored,
  });
}

/** Throws if what was stored may be a part only: sent again, the whole recording would be a second call. */
function checkStored(entry: Entry, id: string, status: CallBody["status"]): void {
  try {
    checkUnchanged(entry, "while it was sent");
  } catch (error) {
    if (status === "erased" || !(error instanceof EntryError) || error.code !== "file_changed") throw error;
    const fix = `Erase that call (DELETE /calls/${id}), wait until the recording is complete, and run the command again.`;
    throw new EntryError("file_changed_late", `${error.message} What it was before is stored as call ${id}.`, fix);
  }
}

const notReadable = (error: RecordingError) => new EntryError("file_unreadable", error.message);

/** Throws if the service stored something else than was meant. */
function checkAnswer(answer: CallBody, { entry, read }: Prepared, tally: Tally): void {
  const differing = [
    answer.recording.sha256 !== read.sha256 && "recording",
    answer.conversation_timestamp !== entry.happenedAt && "conversation_timestamp",
    // A call of before may have been given to another agent since.
    !answer.duplicate && !isAgent(answer, entry) && "agent",
  ].filter(Boolean);
  if (differing.length > 0) {
    const detail = `The call ${answer.id} was answered with another ${differing.join(", ")} than was sent.`;
    throw new EntryError("answer_differs", detail);
  }
  if (answer.status !== "erased" && !isAgent(answer, entry))
    tally.notice(entry, "agent_differs", `This call is there (${answer.id}), and was given to another agent since.`);
}

const isAgent = ({ agent }: CallBody, { agentEmail }: Entry) =>
  agent.email.trim().toLowerCase() === agentEmail.trim().toLowerCase();

/**
 * Decides when it is this one recording that cannot be sent, and not the service that cannot be reached: when it failed
 * again and again while others were taken, or while the service answered other questions. Of a service that says that
 * it cannot answer now this is never so.
 */
function openStrikes({ counts }: Tally) {
  let strikes = 0;
  let takenThen = -1;
  return {
    /** The service answered a question just before. */
    answers() {
      takenThen = -1;
    },
    giveUp({ status, code }: ServiceError, attempt: number): boolean {
      if (status === 429 || status === 502 || status === 503 || status === 504) return false;
      if (status === 400) return attempt >= mostCuts;
      if (code === "internal" && attempt >= mostStrikes) return true;
      if (counts.imported !== takenThen) strikes++;
      takenThen = counts.imported;
      return strikes >= mostStrikes;
    },
  };
}
