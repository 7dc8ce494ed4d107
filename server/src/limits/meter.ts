import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Now, WorkspaceState } from "./measures.ts";
import { addUsage, dayOf } from "./usage.ts";

const everyMs = 1_000;

/** Notes in the database what this process imported into workspaces with a quota: once a second, not once a call. */
export interface Meter {
  add(workspaceId: string, state: WorkspaceState, bytes: number): void;
  /** Notes what is left. */
  close(): Promise<void>;
}

export function openMeter(app: App, clock: () => Now): Meter {
  const waiting = new Map<string, WorkspaceState>();
  let timer: NodeJS.Timeout | undefined;

  async function flushOne(workspaceId: string, state: WorkspaceState): Promise<void> {
    const sent = state.uncounted;
    const usage = await inWorkspace(app, workspaceId, (tx) => addUsage(tx, workspaceId, sent, dayOf(clock().epochMs)));
    const { calls, bytes } = state.uncounted;
    state.uncounted = { calls: calls - sent.calls, bytes: bytes - sent.bytes };
    state.usage = usage;
    if (state.uncounted.calls === 0) waiting.delete(workspaceId);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await Promise.all(
      [...waiting].map(([workspaceId, state]) =>
        flushOne(workspaceId, state).catch((err) =>
          app.log.warn({ err, workspaceId }, "what was imported could not be counted yet"),
        ),
      ),
    );
    if (waiting.size > 0) schedule();
  }

  function schedule(): void {
    timer ??= setTimeout(flush, everyMs).unref();
  }

  return {
    add(workspaceId, state, bytes) {
      const { uncounted } = state;
      state.uncounted = { calls: uncounted.calls + 1, bytes: uncounted.bytes + bytes };
      waiting.set(workspaceId, state);
      schedule();
    },
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}
