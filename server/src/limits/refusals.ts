import type { LimitName } from "@hearback/contract";
import type { App } from "../platform/app.ts";

const everyMs = 10_000;
const mostKept = 1_000;

/** Tells of refused requests by their number: a line for each would make a flood of requests one of the log. */
export interface Refusals {
  note(workspaceId: string, limit: LimitName): void;
  close(): void;
}

export function openRefusals(app: App): Refusals {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [name, refused] of counts) {
      const [workspaceId, limit] = name.split(" ");
      app.log.info({ workspaceId, limit, refused }, "requests over a limit were refused");
    }
    counts.clear();
  }

  return {
    note(workspaceId, limit) {
      app.metrics.limited.inc({ limit });
      const name = `${workspaceId} ${limit}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (counts.size > mostKept) tell();
      else timer ??= setTimeout(tell, everyMs).unref();
    },
    close: tell,
  };
}
