import { stat } from "node:fs/promises";
import type { Client } from "@hearback/sdk";
import type { AdaptiveConcurrency } from "../import/concurrency/adaptive-concurrency.ts";
import { createAgents } from "../import/create-agents.ts";
import type { ImportFailure } from "../import/import-stats.ts";
import type { JournalLine } from "../import/journal/journal.ts";
import type { Entry } from "../manifest/entry.ts";
import type { ReadyRecording } from "./find-ready.ts";
import { type Done, finishFailed, finishImported } from "./finish.ts";
import type { Failure } from "./marks.ts";
import type { ProcessedFiles } from "./processed-files.ts";
import type { Settling } from "./settling.ts";
import type { WatchStatus } from "./status-file.ts";
import type { WatchEvent } from "./watch-event.ts";

export interface ResultOptions {
  readonly root: string;
  readonly client: Client;
  readonly concurrency: AdaptiveConcurrency;
  readonly done: Done;
  /** undefined: failed recordings stay in place, with a marker. */
  readonly failedFolder: string | undefined;
  readonly createAgents: boolean;
  readonly settling: Settling;
  readonly processed: ProcessedFiles;
  readonly status: WatchStatus;
  readonly emit: (event: WatchEvent) => void;
  readonly signal: AbortSignal;
}

/** Handles the result of each recording: markers, moves, counters and events. */
export function openResults(options: ResultOptions) {
  const { client, concurrency, root, done, failedFolder, settling, processed, status, emit, signal } = options;

  async function failed(ready: ReadyRecording, { code, reason, fix }: Failure): Promise<void> {
    settling.forget(ready.path);
    status.failed++;
    const problem = await finishFailed(ready, failedFolder, { code, reason, fix }, root).catch(String);
    emit({ event: "failed", file: ready.path, code, reason, fix });
    if (!problem) return;
    // Without a marker, every pass would retry it.
    processed.markDone(ready.path);
    emit({ event: "problem", detail: `cannot write the failure marker of ${ready.path}: ${problem}` });
  }

  /** Returns undefined if the agent now exists; the next pass retries the recording. */
  async function createAgent(
    { agentEmail: email, agentName: name }: Entry,
    why: Failure,
  ): Promise<Failure | undefined> {
    if (name === undefined) return { ...why, fix: "Provide the agent's name, for example in the --agents file." };
    let problem: Failure | undefined;
    const { created } = await createAgents({
      client,
      concurrency,
      signal,
      agents: [{ email, name }],
      onFailure: ({ code, reason }) => {
        problem = { code, reason, fix: `Create the agent ${email} yourself, or correct the address and name.` };
      },
    });
    if (created > 0) emit({ event: "agent_created", email });
    return problem;
  }

  return {
    failed,
    skipped({ path }: ReadyRecording): void {
      settling.forget(path);
      processed.markDone(path);
      emit({ event: "skipped", file: path });
    },
    async done(ready: ReadyRecording, { id, sha256, result }: JournalLine): Promise<void> {
      settling.forget(ready.path);
      if (done.how === "mark" || done.how === "leave") processed.markDone(ready.path);
      status.lastSuccessAt = new Date();
      status[result === "imported" ? "imported" : "present"]++;
      const problem = await finishImported(ready, done, { id, sha256 }, root).catch(String);
      // A call whose preparation failed counts as present.
      const event = result === "imported" || result === "erased" ? result : "present";
      emit({ event, file: ready.path, call: id });
      if (!problem) return;
      processed.markDone(ready.path);
      emit({ event: "problem", detail: `imported ${ready.path}, but cannot ${done.how} it: ${problem}` });
    },
    async refused(ready: ReadyRecording, entry: Entry, failure: ImportFailure): Promise<void> {
      // Incomplete after all, or gone: wait for it again.
      const exists = await stat(ready.absolutePath).catch(() => undefined);
      if (!exists || failure.code === "file_changed") return settling.forget(ready.path);
      const canCreateAgent = failure.code === "agent_not_found" && options.createAgents;
      const problem = canCreateAgent ? await createAgent(entry, failure) : failure;
      if (problem) await failed(ready, problem);
    },
  };
}
