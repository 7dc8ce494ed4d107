import { setTimeout as sleep } from "node:timers/promises";
import { cpuOfMachine } from "./cpu.ts";
import { type Load, send } from "./load.ts";

/** One side of a comparison. */
export interface Side {
  /** Creates more unique requests than can be sent in this time. */
  makeLoad(recording: Buffer, seconds: number): Load;
  /** CPU seconds used so far, by process. */
  readCpu(): Record<string, number>;
  /** Number of stored calls. Undefined for the bare side. */
  countCalls?(): Promise<number>;
}

export interface Round {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** CPU milliseconds per request, by process. `machine` includes the kernel and all other processes. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

export interface RoundOptions {
  readonly recording: Buffer;
  readonly seconds: number;
  readonly clients: number;
  readonly dir: string;
  readonly signal: AbortSignal;
}

/** Loads one side for some seconds. Throws unless every response was 200 and the database has a call for each. */
export async function playRound(
  side: Side,
  { recording, seconds, clients, dir, signal }: RoundOptions,
): Promise<Round> {
  const load = side.makeLoad(recording, seconds);
  const callsBefore = (await side.countCalls?.()) ?? 0;
  const cpuBefore = readCpu(side);
  const { answered, perSecond, p99Ms, cpuSeconds } = await send(load, { dir, seconds, clients, signal });
  const calls = (await settle(side)) - callsBefore;
  const cpuAfter = readCpu(side);

  // wrk aborts pending requests at the end, and some of those are stored although their responses were not read.
  if (side.countCalls && (calls < answered || calls > answered + clients)) {
    throw new Error(`${answered} imports returned 200, but the database has ${calls} more calls than before`);
  }
  const cpuMs: Record<string, number> = { wrk: (cpuSeconds * 1000) / answered };
  for (const [name, after] of Object.entries(cpuAfter)) {
    cpuMs[name] = ((after - (cpuBefore[name] ?? 0)) * 1000) / answered;
  }
  return { perSecond, p99Ms, cpuMs };
}

const readCpu = (side: Side): Record<string, number> => ({ ...side.readCpu(), machine: cpuOfMachine() });

/** Waits until the last load is fully processed and returns the number of calls. */
async function settle(side: Side): Promise<number> {
  for (let before = -1; ; ) {
    const calls = (await side.countCalls?.()) ?? 0;
    if (calls === before) return calls;
    before = calls;
    await sleep(100);
  }
}
