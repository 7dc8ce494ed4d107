import { createHash } from "node:crypto";
import { mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KB, makeRecording } from "./recordings.ts";

/** A recordings folder and its manifest, as exported by a phone system. */
export interface Backfill {
  readonly dir: string;
  readonly manifest: string;
  readonly recordings: string;
  /** The expected calls, one line each, sorted. */
  readonly expected: readonly string[];
}

export interface BackfillOptions {
  readonly calls: number;
  readonly agents: number;
  readonly bytes?: number;
}

/** A call as one line, for comparison. */
export const callLine = (sha256: string, agent: string, seconds: number, phone: string) =>
  `${sha256} ${agent} ${seconds} ${phone}`;

// A summer day: Paris is UTC+2.
const firstSecond = Date.UTC(2026, 5, 1, 6) / 1000;
const parisAhead = 2 * 60 * 60;

/** Local time in Paris. */
const inParis = (seconds: number) =>
  new Date((seconds + parisAhead) * 1000).toISOString().slice(0, 19).replace("T", " ");

/** Writes unique recordings, in folders of 1,000, and the manifest. */
export async function writeBackfill(
  dir: string,
  { calls, agents, bytes = 100 * KB }: BackfillOptions,
): Promise<Backfill> {
  const recordings = join(dir, "recordings");
  const manifest = join(dir, "calls.csv");
  const recording = makeRecording(bytes).bytes;
  const expected: string[] = [];
  await mkdir(recordings, { recursive: true });
  await using file = await open(manifest, "w");
  await file.write("recording,agent e-mail,agent name,started at,client_phone\r\n");
  for (let call = 0; call < calls; call++) {
    const folder = String(Math.floor(call / 1_000)).padStart(4, "0");
    if (call % 1_000 === 0) await mkdir(join(recordings, folder), { recursive: true });
    recording.writeUInt32LE(call, 60);
    const name = `${folder}/call-${call}.wav`;
    await writeFile(join(recordings, name), recording);
    const agent = `agent-${call % agents}@example.com`;
    const seconds = firstSecond + call * 3;
    const phone = `+331${String(call).padStart(8, "0")}`;
    await file.write(`${name},${agent},Agent ${call % agents},${inParis(seconds)},${phone}\r\n`);
    expected.push(callLine(createHash("sha256").update(recording).digest("hex"), agent, seconds, phone));
  }
  return { dir, manifest, recordings, expected: expected.sort() };
}

/** Options of `hearback import` for a backfill. */
export const backfillOptions = (backfill: Backfill, campaignId: string) => [
  ...[backfill.manifest, "--recordings", backfill.recordings, "--campaign", campaignId],
  ...["--time-format", "yyyy-MM-dd HH:mm:ss", "--time-zone", "Europe/Paris"],
];
