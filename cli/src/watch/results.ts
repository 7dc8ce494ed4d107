import { stat } from "node:fs/promises";
import type { Client } from "@hearback/sdk";
import { createAgents } from "../import/create-agents.ts";
import type { JournalLine } from "../import/journal.ts";
import type { Pace } from "../import/pace.ts";
import type { ImportFailure } from "../import/tally.ts";
import type { Entry } from "../manifest/entry.ts";
import type { DecidedFiles } from "./decided.ts";
import type { Ready } from "./find-ready.ts";
import { type Done, finish, setAside } from "./finish.ts";
import type { Failure } from "./marks.ts";
import type { Settling } from "./settling.ts";
import type { WatchStatus } from "./status-file.ts";
import type { WatchEvent } from "./watch-event.ts";

export interface ResultOptions {
  readonly root: string;
  readonly client: Client;
  readonly pace: Pace;
  readonly done: Done;
  /** undefined: what failed stays where it is, with a note beside it. */
  readonly failedFolder: string | undefined;
  readonly createAgents: boolean;
  readonly settling: Settling;
  readonly decided: DecidedFiles;
  readonly status: WatchStatus;
  readonly tell: (event: WatchEvent) => void;
  readonly signal: AbortSignal;
}

/** What becomes of a recording when it is known whether the service has it. */
export function openResults(options: ResultOptions) {
  const { client, pace, root, done, failedFolder, settling, decided, status, tell, signal } = options;

  async function failed(ready: Ready, { code, reason, fix }: Failure): Promise<void> {
    settling.forget(ready.path);
    status.failed++;
    const trouble = await setAside(ready, failedFolder, { code, reason, fix }, root).catch(String);
    tell({ event: "failed", file: ready.path, code, reason, fix });
    if (!trouble) return;
    // Without a note it would be tried at every pass.
    decided.noteDone(ready.path);
    tell({ event: "trouble", detail: `what failed cannot be noted beside ${ready.path}: ${trouble}` });
  }

  /** undefined: the agent is there now, and the recording is tried again at the next pass. */
  async function createAgent(
    { agentEmail: email, agentName: name }: Entry,
    why: Failure,
  ): Promise<Failure | undefined> {
    if (name === undefined) return { ...why, fix: "Say the agent's name, for example in the file of agents." };
    let problem: Failure | undefined;
    const { created } = await createAgents({
      client,
      pace,
      signal,
      agents: [{ email, name }],
      onFailure: ({ code, reason }) => {
        problem = { code, reason, fix: `Create the agent ${email} yourself, or correct the address and the name.` };
      },
    });
    if (created > 0) tell({ event: "agent_created", email });
    return problem;
  }

  return {
    failed,
    leftOut({ path }: Ready): void {
      settling.forget(path);
      decided.noteDone(path);
      tell({ event: "left_out", file: path });
    },
    async done(ready: Ready, { id, sha256, result }: JournalLine): Promise<void> {
      settling.forget(ready.path);
      if (done.how === "mark" || done.how === "leave") decided.noteDone(ready.path);
      status.lastSuccessAt = new Date();
      status[result === "imported" ? "imported" : "present"]++;
      const trouble = await finish(ready, done, { id, sha256 }, root).catch(String);
      // A call that is there but cannot be played is there.
      const event = result === "imported" || result === "erased" ? result : "present";
      tell({ event, file: ready.path, call: id });
      if (!trouble) return;
      decided.noteDone(ready.path);
      tell({ event: "trouble", detail: `the service has ${ready.path}, but cannot ${done.how} it: ${trouble}` });
    },
    async refused(ready: Ready, entry: Entry, failure: ImportFailure): Promise<void> {
      // It was not complete after all, or is gone: it is waited for again.
      const there = await stat(ready.place).catch(() => undefined);
      if (!there || failure.code === "file_changed") return settling.forget(ready.path);
      const mended = failure.code === "agent_not_found" && options.createAgents;
      const problem = mended ? await createAgent(entry, failure) : failure;
      if (problem) await failed(ready, problem);
    },
  };
}
