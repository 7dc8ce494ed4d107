import { writeAtomically } from "./write-atomically.ts";

/** Status of a watcher, for monitoring. */
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
  failedNow: number;
  problem: string | undefined;
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
  failedNow: 0,
  problem: undefined,
});

/** Writes the status as JSON. `at` is a heartbeat. */
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
    failed_now: status.failedNow,
    problem: status.problem ?? null,
  };
  return writeAtomically(path, `${JSON.stringify(body, undefined, 2)}\n`);
}
