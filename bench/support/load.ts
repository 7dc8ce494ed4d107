import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export const clients = 16;
const script = join(import.meta.dirname, "../wrk/send.lua");

/** A request template: each request has the next of `values`, all of the same length, at `offset`. */
export interface Load {
  readonly baseUrl: string;
  readonly request: Buffer;
  readonly offset: number;
  readonly values: readonly string[];
}

/** Number of values that a load needs: for 3 GB/s or 6,000 requests/s, which is more than either side can handle. */
export function howMany(recording: Buffer, seconds: number): number {
  return Math.ceil(seconds * Math.min(3e9 / recording.length, 6000));
}

export interface LoadResult {
  /** Number of 200 responses in the whole run. */
  readonly answered: number;
  /** 200 responses per second, excluding the first fifth of the run. */
  readonly perSecond: number;
  /** Of all responses of the run. */
  readonly p99Ms: number;
  /** CPU time of wrk itself. */
  readonly cpuSeconds: number;
}

interface WrkLine {
  answered: number;
  measured: number;
  refused: number;
  refusal: string;
  failed: number;
  p99_ms: number;
  cpu_seconds: number;
}

/** Sends a load for a number of seconds. Throws if any response was not 200. */
export async function send(
  { baseUrl, request, offset, values }: Load,
  { dir, seconds, clients, signal }: { dir: string; seconds: number; clients: number; signal: AbortSignal },
): Promise<LoadResult> {
  signal.throwIfAborted();
  const requestFile = join(dir, "request");
  const valuesFile = join(dir, "values");
  await writeFile(requestFile, request);
  await writeFile(valuesFile, values.join(""));

  const threads = Math.min(2, clients);
  const leadIn = seconds / 5;
  const options = [`-t${threads}`, `-c${clients}`, `-d${seconds}s`, "--timeout", "30s", "-s", script];
  const scriptArgs = [requestFile, offset, valuesFile, values[0]?.length ?? 0, threads, leadIn, seconds].map(String);
  const wrk = spawn("wrk", [...options, baseUrl, "--", ...scriptArgs], {
    stdio: ["ignore", "pipe", "inherit"],
    signal,
  });
  let output = "";
  wrk.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = await once(wrk, "close");
  if (code !== 0) throw new Error(`wrk exited with code ${code}:\n${output}`);

  const line = JSON.parse(output.trim().split("\n").at(-1) ?? "") as WrkLine;
  if (line.refused > 0) throw new Error(`${line.refused} responses were not 200; the first was ${line.refusal}`);
  if (line.failed > 0) throw new Error(`${line.failed} connections failed or timed out:\n${output}`);
  if (line.measured === 0)
    throw new Error(`${clients} clients got no response in ${seconds} s. The machine may be busy.`);
  return {
    answered: line.answered,
    perSecond: line.measured / (seconds - leadIn),
    p99Ms: line.p99_ms,
    cpuSeconds: line.cpu_seconds,
  };
}
