import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Decoys } from "./hostile-file.ts";
import { decoyHz, writeDecoys } from "./hostile-files.ts";

const run = promisify(execFile);

/** A server and two files that must not be accessed, and that detect access. */
export interface Canary {
  readonly decoys: Decoys;
  readonly secret: string;
  /** Number of connections to the server. */
  connections(): number;
  /** Files that were read. */
  filesRead(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openCanary(): Promise<Canary> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on("error", () => {});
    socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the canary has no port");
  const folder = await mkdtemp(join(tmpdir(), "hearback-canary-"));
  const secret = `canary-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  const decoys = await writeDecoys(folder, `http://127.0.0.1:${address.port}/`, secret);
  // With "relatime", the access time changes on the first read after a write.
  const unread = new Date(0);
  for (const path of [decoys.text, decoys.sound]) await utimes(path, unread, new Date());
  return {
    decoys,
    secret,
    connections: () => connections,
    async filesRead() {
      const paths = [decoys.text, decoys.sound];
      const times = await Promise.all(paths.map(async (path) => (await stat(path)).atimeMs));
      return paths.filter((_, index) => times[index] !== 0);
    },
    async close() {
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Share of the energy at one frequency, 0 to 1 (Goertzel). */
export function shareOfTone(samples: Float32Array, hz: number, rate: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / rate);
  let [last, before, energy] = [0, 0, 0];
  for (const sample of samples) {
    [last, before] = [sample + coefficient * last - before, last];
    energy += sample * sample;
  }
  const power = last * last + before * before - coefficient * last * before;
  return energy === 0 ? 0 : (2 * power) / samples.length / energy;
}

/** Share of seconds in which the canary's tone is present. */
export async function canaryHeardIn(recording: Uint8Array): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-heard-"));
  try {
    const path = join(folder, "heard.m4a");
    await writeFile(path, recording);
    const { stdout } = await run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-t", "60", "-i", path, "-ar", "8000", "-ac", "1", "-f", "f32le", "-"],
      { encoding: "buffer", maxBuffer: 16 * 1024 * 1024 },
    );
    const samples = new Float32Array(new Uint8Array(stdout).buffer, 0, Math.floor(stdout.length / 4));
    const seconds = Math.ceil(samples.length / 8000);
    const heard = Array.from({ length: seconds }, (_, n) => samples.subarray(n * 8000, (n + 1) * 8000)).filter(
      (second) => shareOfTone(second, decoyHz, 8000) > 0.3,
    );
    return seconds === 0 ? 0 : heard.length / seconds;
  } finally {
    await rm(folder, { recursive: true });
  }
}
