import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { keysetPages } from "../../platform/database/pages.ts";
import { ObjectMissing } from "../../platform/storage/types.ts";
import { listWorkspaces } from "../../workspaces/list-workspaces.ts";

const pageSize = 200;

export interface Damage {
  readonly workspaceId: string;
  readonly callId: string;
  readonly problem: "differs" | "missing";
}

export interface VerifyOptions {
  readonly workspace?: string;
  /** Resume after this call id. */
  readonly after?: string;
  readonly onProgress?: (checked: number) => void;
}

/**
 * Reads every recording and compares its SHA-256 with the one from the import. Flags damaged recordings on the call, so that
 * POST /calls/lookup reports them as lost and the next import replaces them.
 */
export async function verifyRecordings(
  app: App,
  options: VerifyOptions,
): Promise<{ checked: number; damaged: Damage[] }> {
  const workspaces = options.workspace ? [options.workspace] : (await listWorkspaces(app.db)).map(({ id }) => id);
  const damaged: Damage[] = [];
  let checked = 0;
  for (const workspaceId of workspaces) {
    for await (const call of callsOf(app, workspaceId, options.after)) {
      const problem = await findDamage(app, call);
      if ((problem ?? null) !== call.recordingDamage) await saveDamage(app, workspaceId, call, problem ?? null);
      if (problem) damaged.push({ workspaceId, callId: call.id, problem });
      checked += 1;
      options.onProgress?.(checked);
    }
  }
  return { checked, damaged };
}

interface RecordingToVerify {
  readonly id: string;
  readonly recordingKey: string;
  readonly sha256: Buffer;
  readonly recordingDamage: string | null;
}

async function saveDamage(
  app: App,
  workspaceId: string,
  call: RecordingToVerify,
  damage: string | null,
): Promise<void> {
  await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("call")
      .set({ recordingDamage: damage })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", call.id)
      // Skip if an import has replaced the recording meanwhile.
      .where("recordingKey", "=", call.recordingKey)
      .execute(),
  );
}

async function* callsOf(app: App, workspaceId: string, after?: string): AsyncGenerator<RecordingToVerify> {
  const read = (last: string, limit: number) =>
    inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("call")
        .select(["id", "recordingKey", "sha256", "recordingDamage"])
        .where("workspaceId", "=", workspaceId)
        .where("id", ">", last)
        .orderBy("id")
        .limit(limit)
        .execute(),
    );
  for await (const calls of keysetPages({ read, keyOf: ({ id }) => id, pageSize, after })) yield* calls;
}

async function findDamage(app: App, call: RecordingToVerify): Promise<Damage["problem"] | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of await app.storage.get(call.recordingKey)) hash.update(chunk);
  } catch (error) {
    if (error instanceof ObjectMissing) return "missing";
    throw error;
  }
  return hash.digest().equals(call.sha256) ? undefined : "differs";
}
