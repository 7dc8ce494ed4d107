import { writeWhole } from "./write-whole.ts";

/** How a watcher is, for whoever looks after it. */
export interface WatchStatus {
  readonly watching: string;
  readonly startedAt: Date;
  lastPassAt: Date | undefined;
  lastSuccessAt: Date | undefined;
  imported: number;
  present: number;
  failed: number;
  /** At the last pass. */
  waiting: number;
  failedThere: number;
  trouble: string | undefined;
}

export const startStatus = (watching: string): WatchStatus => ({
  watching,
  startedAt: new Date(),
  lastPassAt: undefined,
  lastSuccessAt: undefined,
  imported: 0,
  present: 0,
  failed: 0,
  waiting: 0,
  failedThere: 0,
  trouble: undefined,
});

/** Writes it as JSON; `at` says that the watcher was alive then. */
export function writeStatus(path: string, status: WatchStatus): Promise<void> {
  const { watching, startedAt, lastPassAt, lastSuccessAt, imported, present, failed } = status;
  const body = {
    at: new Date(),
    watching,
    pid: process.pid,
    started_at: startedAt,
    last_pass_at: lastPassAt ?? null,
    last_success_at: lastSuccessAt ?? null,
    imported,
    present,
    failed,
    waiting_now: status.waiting,
    failed_now: status.failedThere,
    trouble: status.trouble ?? null,
  };
  return writeWhole(path, `${JSON.stringify(body, undefined, 2)}\n`);
}
