// Child process, so that the test's own work is not measured: requests /healthz every few milliseconds.
// Protocol: receives { url } once; "begin" starts a measurement, "end" returns { slowestMs, count }.
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface Probed {
  readonly slowestMs: number;
  readonly count: number;
}

const everyMs = 10;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
let times: number[] = [];

const ask = (url: string) =>
  new Promise<void>((resolve, reject) => {
    http.get(url, { agent }, (answer) => answer.resume().once("end", resolve)).once("error", reject);
  });

async function probe(url: string): Promise<void> {
  for (;;) {
    const began = performance.now();
    await ask(url);
    times.push(performance.now() - began);
    await sleep(everyMs);
  }
}

process.on("message", (message: { url: string } | "begin" | "end") => {
  if (message === "begin") times = [];
  else if (message === "end") process.send?.({ slowestMs: Math.max(0, ...times), count: times.length });
  else void probe(message.url);
});
