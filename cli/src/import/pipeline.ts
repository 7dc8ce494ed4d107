import type { Client } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import { EntryError } from "./entry-error.ts";
import { openGate } from "./gate.ts";
import type { Journal } from "./journal.ts";
import type { Pace } from "./pace.ts";
import { keptBytes } from "./read-recording.ts";
import { concernsAll, openStopping, type StopOptions } from "./stopping.ts";
import { openTally, type TallyOptions } from "./tally.ts";
import type { Prepared } from "./upload-entry.ts";

/** What is read ahead of the uploads: enough for whole look-ups, and no more memory than this. */
export const ahead = { entries: 400, bytes: 20 * 1024 * 1024 };

export interface ImportOptions extends TallyOptions, StopOptions {
  /** Its retries should be off (`attempts: 1`): the pace does it for all requests together. */
  readonly client: Client;
  /** Read as it is needed, a few hundred ahead. It should end when `signal` is aborted. */
  readonly entries: AsyncIterable<Entry>;
  readonly journal: Journal;
  readonly pace: Pace;
  /** Why agents could not be created, by e-mail address in small letters: the reason of their rows. */
  readonly agentProblems?: ReadonlyMap<string, string> | undefined;
}

/** What the parts of an import hand on to each other: read, look up, upload. */
export function openPipeline(options: ImportOptions) {
  const stopping = openStopping(options);
  const tally = openTally(options);
  const gate = openGate();
  const held = { entries: 0, bytes: 0 };
  stopping.gently.addEventListener("abort", gate.wake);

  const stopped = () => stopping.gently.aborted;
  const heldBy = (entry: Entry) => (entry.bytes <= keptBytes ? entry.bytes : 0);
  const fits = (entry: Entry) =>
    held.entries < ahead.entries && (held.bytes === 0 || held.bytes + heldBy(entry) <= ahead.bytes);

  return {
    ...options,
    stopping,
    tally,
    gate,
    stopped,
    /** Read, and not looked up yet. */
    hashed: [] as Prepared[],
    /** Not on the service, and to be uploaded. */
    missing: [] as Prepared[],
    /** How many are being read. */
    reading: 0,
    ended: { reading: false, lookingUp: false },

    /** Waits until there is room for one more. Whoever has taken it lets it go, unless all is stopped. */
    async take(entry: Entry): Promise<void> {
      await gate.until(() => stopped() || fits(entry));
      held.entries++;
      held.bytes += heldBy(entry);
    },
    letGo(entry: Entry): void {
      held.entries--;
      held.bytes -= heldBy(entry);
      gate.wake();
    },
    /** For what went wrong with one entry, and perhaps with all of them. */
    failed(entry: Entry, error: unknown): void {
      if (stopped() && !(error instanceof EntryError)) return;
      if (!(error instanceof EntryError) && concernsAll(error)) stopping.stop(error);
      else tally.failed(entry, error);
    },
  };
}
export type Pipeline = ReturnType<typeof openPipeline>;
