import type { App } from "../platform/app.ts";
import { openWriteBehind } from "../platform/async/write-behind.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { addUsage, dayOf, type Imported } from "../workspaces/usage.ts";
import type { Now, WorkspaceState } from "./limit-status.ts";

const flushIntervalMs = 1_000;

/** Write-behind counter: stores the imports of this process once a second instead of once per call. */
export interface UsageCounter {
  add(workspaceId: string, state: WorkspaceState, bytes: number): void;
  /** Flushes pending usage and stops. */
  close(): Promise<void>;
}

interface WorkspaceImports extends Imported {
  readonly workspaceId: string;
}

export function openUsageCounter(app: App, clock: () => Now): UsageCounter {
  const imports = openWriteBehind<WorkspaceState, WorkspaceImports>({
    intervalMs: flushIntervalMs,
    merge: (buffered, { calls, bytes }) => ({
      ...buffered,
      calls: buffered.calls + calls,
      bytes: buffered.bytes + bytes,
    }),
    async write(batch) {
      const isStored = await Promise.all(batch.map(([state, imported]) => store(state, imported)));
      return batch.filter((_, index) => !isStored[index]);
    },
  });

  async function store(state: WorkspaceState, imported: WorkspaceImports): Promise<boolean> {
    const { workspaceId } = imported;
    try {
      const day = dayOf(clock().epochMs);
      state.usage = await inWorkspace(app, workspaceId, (tx) => addUsage(tx, workspaceId, imported, day));
    } catch (err) {
      app.log.warn({ err, workspaceId }, "could not store the usage of a workspace; will retry");
      return false;
    }
    const { calls, bytes } = state.uncounted;
    state.uncounted = { calls: calls - imported.calls, bytes: bytes - imported.bytes };
    return true;
  }

  return {
    add(workspaceId, state, bytes) {
      const { uncounted } = state;
      state.uncounted = { calls: uncounted.calls + 1, bytes: uncounted.bytes + bytes };
      imports.add(state, { workspaceId, calls: 1, bytes });
    },
    close: imports.close,
  };
}
