import type { App } from "../platform/app.ts";
import { listWorkspaces } from "./list-workspaces.ts";

/** Runs the work for every workspace. A failure does not keep it from the others; all failures are thrown at the end. */
export async function forEachWorkspace(
  app: App,
  signal: AbortSignal | undefined,
  work: (workspaceId: string) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of await listWorkspaces(app.db)) {
    signal?.throwIfAborted();
    try {
      await work(id);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `the job failed for ${failures.length} workspaces`);
}
