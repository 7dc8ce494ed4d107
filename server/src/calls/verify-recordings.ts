import { createHash } from "node:crypto";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { ObjectMissing } from "../platform/storage/types.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";

const batch = 200;

export interface Damage {
  readonly workspaceId: string;
  readonly callId: string;
  readonly problem: "differs" | "missing";
}

export interface VerifyOptions {
  readonly workspace?: string;
  /** Goes on after this call. */
  readonly after?: string;
  readonly onProgress?: (checked: number) => void;
}

/** Reads every recording again and tells which are not the bytes that came. */
export async function verifyRecordings(
  app: App,
  options: VerifyOptions,
): Promise<{ checked: number; damaged: Damage[] }> {
  const workspaces = options.workspace ? [options.workspace] : (await listWorkspaces(app.db)).map(({ id }) => id);
  const damaged: Damage[] = [];
  let checked = 0;
  for (const workspaceId of workspaces) {
    for await (const call of callsOf(app, workspaceId, options.after ?? lowestUuid)) {
      const problem = await problemOf(app, call);
      if (problem) damaged.push({ workspaceId, callId: call.id, problem });
      checked += 1;
      options.onProgress?.(checked);
    }
  }
  return { checked, damaged };
}

interface StoredRecording {
  readonly id: string;
  readonly recordingKey: string;
  readonly sha256: Buffer;
}

async function* callsOf(app: App, workspaceId: string, after: string): AsyncGenerator<StoredRecording> {
  for (let last = after; ; ) {
    const rows = await inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("call")
        .select(["id", "recordingKey", "sha256"])
        .where("workspaceId", "=", workspaceId)
        .where("id", ">", last)
        .orderBy("id")
        .limit(batch)
        .execute(),
    );
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < batch) return;
    last = end.id;
  }
}

async function problemOf(app: App, call: StoredRecording): Promise<Damage["problem"] | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of await app.storage.get(call.recordingKey)) hash.update(chunk);
  } catch (error) {
    if (error instanceof ObjectMissing) return "missing";
    throw error;
  }
  return hash.digest().equals(call.sha256) ? undefined : "differs";
}
