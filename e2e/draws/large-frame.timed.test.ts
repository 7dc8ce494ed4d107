import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Service } from "../support/http/service.ts";
import { peakMemoryMb } from "../support/measuring/machine.ts";
import { KB, makeRecording, tryImport } from "../support/recordings/recordings.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import type { ServerProcess } from "../support/stack/stack.ts";
import { percentile, say, until } from "../support/waiting.ts";
import { openPlanStack, type PlanStack } from "./support/plan-stack.ts";

/*
 * One frame with many calls, drawn by a worker that is killed again and again, while another client imports. Then the same draw
 * without kills must give the same result.
 */
const calls = scale(20_000, 20_000, 1_000_000);
const agents = scale(200, 200, 5_000);
const kills = scale(4, 4, 20);
const chance = random();
const limit = { processorSeconds: 300, memoryMb: 300, ratio: scale(1.5, 1.5, 1.2) };
/** In CI the median: the p95 of some dozen imports is that of a single one. */
const compared = scale(0.5, 0.5, 0.95);

let stack: PlanStack;
let service: Service;
beforeAll(async () => {
  stack = await openPlanStack({ agents, reviewers: 20 });
  service = { ...stack };
}, 120_000);
afterAll(() => stack?.stop());

/** Processor seconds that a process has used. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const drawState = async (id: string) =>
  (await stack.adminDb.query<{ state: string }>("select state from review_draw where id = $1", [id])).rows[0]?.state;
const resultOf = async (id: string) =>
  (
    await stack.adminDb.query(
      `select agent_id, place, kind, call_id, reviewer_id, encode(ticket, 'hex') as ticket from assignment
        where draw_id = $1 order by agent_id, place, kind`,
      [id],
    )
  ).rows;

/** Imports one recording every 100 ms until told to stop. Returns the compared percentile of the durations. */
function importSteadily() {
  const times: number[] = [];
  let running = true;
  const done = (async () => {
    while (running) {
      const began = performance.now();
      const answer = await tryImport(service, makeRecording(100 * KB));
      if (answer instanceof Error || answer.status !== 200) throw new Error(`an import failed: ${answer}`);
      times.push(performance.now() - began);
      await sleep(100);
    }
  })();
  return {
    async stop() {
      running = false;
      await done;
      return percentile(times, compared);
    },
  };
}

/** Runs the draw to its end, with kills. Returns what the workers used. */
async function drawWith(id: string, kills: number) {
  let seconds = 0;
  let memory = 0;
  let left = kills;
  while ((await drawState(id)) !== "drawn") {
    const worker: ServerProcess = await stack.startWorker();
    const idle = processorSeconds(worker.pid);
    await stack.requestDraws();
    if (left > 0) await sleep(chance() * scale(400, 400, 6_000));
    else await until("the calls are drawn", 900_000, async () => (await drawState(id)) === "drawn", 50);
    seconds += processorSeconds(worker.pid) - idle;
    memory = Math.max(memory, await peakMemoryMb(worker.pid));
    await (left-- > 0 ? worker.kill() : worker.stop());
  }
  return { seconds, memory, kills: kills - Math.max(left, 0) };
}

test(`a frame of ${calls} calls of ${agents} agents, killed ${kills} times`, { timeout: 3_600_000 }, async () => {
  const planId = await stack.createPlan({ second_percent: 10 });
  const batch = 20_000;
  for (let from = 0; from < calls; from += batch)
    await stack.addReady(
      Array.from({ length: Math.min(batch, calls - from) }, (_, n) => 1 + ((from + n * 7) % agents)),
    );
  await stack.adminDb.query("analyze call; analyze ready_call");
  const quiet = importSteadily();
  await sleep(scale(4_000, 4_000, 20_000));
  const before = await quiet.stop();

  const [id = ""] = await stack.endPeriods([planId]);
  const busy = importSteadily();
  const used = await drawWith(id, kills);
  const beside = await busy.stop();
  const first = await resultOf(id);
  say(
    `seed ${seed}: ${used.kills} kills, ${used.seconds.toFixed(1)} processor seconds, ${used.memory.toFixed(0)} MB; ` +
      `imports p${compared * 100} ${before.toFixed(0)} → ${beside.toFixed(0)} ms (${(beside / before).toFixed(2)})`,
  );
  expect(first.filter(({ kind }) => kind === "first")).toHaveLength(agents * 3);
  expect(first.filter(({ kind }) => kind === "second")).toHaveLength(Math.round(agents * 0.3));
  expect(first.filter(({ reviewer_id }) => reviewer_id === null)).toEqual([]);

  const client = await stack.adminDb.connect();
  await client.query("begin; set local session_replication_role = replica");
  for (const table of ["assignment", "draw_agent", "draw_call"])
    await client.query(`delete from ${table} where draw_id = $1`, [id]);
  await client.query(
    `update review_draw set state = 'committed', position = '{}', root = null, closed_at = null, drawn_at = null, staffing = null,
      agents = 0, calls = 0 where id = $1`,
    [id],
  );
  await client.query("commit");
  client.release();
  const undisturbed = await drawWith(id, 0);
  say(`without kills: ${undisturbed.seconds.toFixed(1)} processor seconds, ${undisturbed.memory.toFixed(0)} MB`);
  expect(await resultOf(id)).toEqual(first);
  expect(used.seconds).toBeLessThan(limit.processorSeconds);
  expect(Math.max(used.memory, undisturbed.memory)).toBeLessThan(limit.memoryMb);
  expect(beside / before).toBeLessThan(limit.ratio);
});
