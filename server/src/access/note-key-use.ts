import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";

/** How often what was noted is written: at most so often is a key's row touched by one process. */
const everyMs = 60_000;

export interface KeyUse {
  /** Remembers that a key was used now. It is on the way of every request: it writes nothing. */
  note(caller: Caller): void;
  /** Writes what was noted. */
  flush(): Promise<void>;
  /** Writes it for the last time. */
  close(): Promise<void>;
}

/** Notes when keys were last used, outside of the requests that use them. */
export function openKeyUse(app: App): KeyUse {
  const noted = new Map<string, { readonly workspaceId: string; at: Date }>();

  function note({ keyId, workspaceId }: Caller): void {
    noted.set(keyId, { workspaceId, at: new Date() });
  }

  async function flush(): Promise<void> {
    const uses = [...noted];
    noted.clear();
    for (const [index, [keyId, use]] of uses.entries()) {
      try {
        await write(app, keyId, use);
      } catch (err) {
        app.log.warn({ err }, "use of keys not written; it is tried again");
        for (const [id, rest] of uses.slice(index)) if (!noted.has(id)) noted.set(id, rest);
        return;
      }
    }
  }

  const timer = setInterval(() => void flush(), everyMs).unref();
  async function close(): Promise<void> {
    clearInterval(timer);
    await flush();
  }
  return { note, flush, close };
}

/** Another process may have written a later use. */
async function write(app: App, keyId: string, { workspaceId, at }: { workspaceId: string; at: Date }): Promise<void> {
  await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("apiKey")
      .set({ lastUsedAt: at })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", keyId)
      .where((eb) => eb.or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<", at)]))
      .execute(),
  );
}
