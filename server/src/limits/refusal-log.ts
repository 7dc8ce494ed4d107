import type { LimitName } from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { openWriteBehind } from "../platform/async/write-behind.ts";

const flushIntervalMs = 10_000;
const maxCounters = 1_000;

/** Logs the number of refused requests per interval. A line for each would let a flood of requests flood the log. */
export interface RefusalLog {
  count(workspaceId: string, limit: LimitName): void;
  close(): Promise<void>;
}

export function openRefusalLog(app: App): RefusalLog {
  const counts = openWriteBehind<string, number>({
    intervalMs: flushIntervalMs,
    merge: (buffered, added) => buffered + added,
    async write(batch) {
      for (const [name, refused] of batch) {
        const [workspaceId, limit] = name.split(" ");
        app.log.info({ workspaceId, limit, refused }, "requests over a limit were refused");
      }
      return [];
    },
  });
  return {
    count(workspaceId, limit) {
      app.metrics.limited.inc({ limit });
      counts.add(`${workspaceId} ${limit}`, 1);
      if (counts.size() > maxCounters) void counts.flush();
    },
    close: counts.close,
  };
}
