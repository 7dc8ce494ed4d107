import type { App } from "../platform/app.ts";
import { type Caller, callerId } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";

/** How often what was noted is written: at most so often is a row touched by one process. */
const everyMs = 60_000;

export interface Use {
  /** Remembers that a key or a session was used now. It is on the way of every request: it writes nothing. */
  note(caller: Caller): void;
  /** Writes what was noted. */
  flush(): Promise<void>;
  /** Writes it for the last time. */
  close(): Promise<void>;
}

interface Noted {
  readonly caller: Caller;
  readonly at: Date;
}

/** Notes when keys and sessions were last used, outside of the requests that use them. */
export function openUse(app: App): Use {
  const noted = new Map<string, Noted>();

  async function flush(): Promise<void> {
    const uses = [...noted];
    noted.clear();
    for (const [index, [, use]] of uses.entries()) {
      try {
        await (use.caller.kind === "key" ? writeKeyUse(app, use) : writeSessionUse(app, use));
      } catch (err) {
        app.log.warn({ err }, "use of keys and sessions not written; it is tried again");
        for (const [id, rest] of uses.slice(index)) if (!noted.has(id)) noted.set(id, rest);
        return;
      }
    }
  }

  const timer = setInterval(() => void flush(), everyMs).unref();
  return {
    note: (caller) => void noted.set(callerId(caller), { caller, at: new Date() }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Another process may have written a later use. */
async function writeKeyUse(app: App, { caller, at }: Noted): Promise<void> {
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

/** A session that is used goes on. */
async function writeSessionUse(app: App, { caller, at }: Noted): Promise<void> {
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
