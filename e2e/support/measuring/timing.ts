import http from "node:http";
import { percentile } from "../waiting.ts";

/** Welch's t statistic. Below 4.5 the two samples are indistinguishable (dudect). */
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
 * Compares the response times of two kinds of requests, sent sequentially on one connection in random order. Drops the
 * slowest samples of both, which are noise of the machine.
 */
export async function compareTimes(
  url: string,
  count: number,
  random: () => number,
  ways: readonly [() => string, () => string],
): Promise<{ t: number; medianMs: [number, number] }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times: [number[], number[]] = [[], []];
  // Warm-up.
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
