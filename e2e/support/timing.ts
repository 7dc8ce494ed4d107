import http from "node:http";
import { percentile } from "./waiting.ts";

/** Welch's t: how many standard errors two means lie apart. Below 4.5 nobody can tell the two kinds apart (dudect). */
function welch(a: readonly number[], b: readonly number[]): number {
  const moments = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    return { mean, error: variance / values.length };
  };
  const [left, right] = [moments(a), moments(b)];
  return Math.abs(left.mean - right.mean) / Math.sqrt(left.error + right.error);
}

/**
 * Asks in two ways, one after the other on one connection, in random order, and compares how long the answers take.
 * What took longest, whichever it was, is left out on both sides alike: it is the machine, not the code.
 */
export async function compareTimes(
  url: string,
  count: number,
  random: () => number,
  ways: readonly [() => string, () => string],
): Promise<{ t: number; medianMs: [number, number] }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times: [number[], number[]] = [[], []];
  // The first requests warm up both sides.
  for (let round = -200; round < count; round++) {
    for (const way of random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)) {
      const took = await timed(url, agent, ways[way]());
      if (round >= 0) times[way].push(took);
    }
  }
  agent.destroy();
  const most = percentile(times.flat(), 0.9);
  const [a, b] = times.map((values) => values.filter((value) => value <= most));
  const medianMs: [number, number] = [percentile(times[0], 0.5), percentile(times[1], 0.5)];
  return { t: welch(a ?? [], b ?? []), medianMs };
}

function timed(url: string, agent: http.Agent, apiKey: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const request = http.get(url, { agent, headers: { "x-api-key": apiKey } }, (response) => {
      if (response.statusCode !== 401) reject(new Error(`answered ${response.statusCode}, not 401`));
      response.resume().on("end", () => resolve(performance.now() - began));
    });
    request.on("error", reject);
  });
}
