import type { App } from "../platform/app.ts";
import { openWriteBehind } from "../platform/async/write-behind.ts";
import { type Caller, callerId } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";

/** Flush interval: each process writes a row at most this often. */
const flushIntervalMs = 60_000;

export interface LastUsedTracker {
  /** Records a use in memory. Runs on every request, so it must not write to the database. */
  record(caller: Caller): void;
  /** Writes the recorded uses. */
  flush(): Promise<void>;
  /** Flushes and stops. */
  close(): Promise<void>;
}

interface Use {
  readonly caller: Caller;
  readonly at: Date;
}

/** Write-behind tracker for the last use of keys and sessions. */
export function openLastUsedTracker(app: App): LastUsedTracker {
  const uses = openWriteBehind<string, Use>({
    intervalMs: flushIntervalMs,
    merge: (buffered, added) => (added.at < buffered.at ? buffered : added),
    async write(batch) {
      for (const [index, [, use]] of batch.entries()) {
        try {
          await (use.caller.kind === "key" ? writeKeyUse(app, use) : writeSessionUse(app, use));
        } catch (err) {
          app.log.warn({ err }, "could not write the last use of keys and sessions; will retry");
          return batch.slice(index);
        }
      }
      return [];
    },
  });
  return {
    record: (caller) => uses.add(callerId(caller), { caller, at: new Date() }),
    flush: uses.flush,
    close: uses.close,
  };
}

/** Keeps a later use written by another process. */
async function writeKeyUse(app: App, { caller, at }: Use): Promise<void> {
  const { workspaceId } = caller;
  await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("apiKey")
      .set({ lastUsedAt: at })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", callerId(caller))
      .where((eb) => eb.or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<", at)]))
      .execute(),
  );
}

/** Also extends the session's idle timeout. */
async function writeSessionUse(app: App, { caller, at }: Use): Promise<void> {
  const { workspaceId } = caller;
  await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("session")
      .set({ lastSeenAt: at, idleUntil: new Date(at.getTime() + app.config.sessions.idleMs) })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", callerId(caller))
      .where("lastSeenAt", "<", at)
      .execute(),
  );
}
