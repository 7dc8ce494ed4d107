import { execFile } from "node:child_process";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countByState, countEvents } from "../support/data/count-events.ts";
import { findCall, withEveryScope } from "../support/http/call-details.ts";
import type { Service } from "../support/http/service.ts";
import { MB, makeRecording, serviceAt, tryImport } from "../support/recordings/recordings.ts";
import { full } from "../support/run-scale.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { inParallel, say, until } from "../support/waiting.ts";

const run = promisify(execFile);
const calls = full ? 100 : 12;
const small = await mkdtemp(join(tmpdir(), "hearback-small-"));
const whyNot = await run("mount", ["-t", "tmpfs", "-o", "size=24m", "hearback-e2e", small]).then(
  () => undefined,
  (error: Error) => error.message.trim(),
);
if (whyNot) say(`skipped: cannot mount a small file system: ${whyNot}`);

let stack: Stack;
let service: Service;
beforeAll(async () => {
  stack = await openStack();
  service = await withEveryScope(stack, serviceAt(stack, (await stack.startApi()).port));
});
afterAll(async () => {
  await stack?.stop();
  if (!whyNot) await run("umount", [small]);
  await rm(small, { recursive: true, force: true });
});

const filler = join(small, "somebody-elses");

async function fill(): Promise<void> {
  const { bavail, bsize } = await statfs(small);
  await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - 64 * 1024)));
}

test.skipIf(whyNot)(
  `a full scratch folder delays ${calls} calls without losing any`,
  {
    timeout: full ? 900_000 : 180_000,
  },
  async () => {
    const worker = await stack.startWorker({ SCRATCH_DIR: small, WORKER_CONCURRENCY: "2", WORKER_PORT: "0" });
    await fill();
    const ids: string[] = [];
    await inParallel(calls, 4, async () => {
      const answer = await tryImport(service, makeRecording(MB));
      if (answer instanceof Error || answer.status !== 200) throw new Error(`not imported: ${answer}`);
      ids.push(answer.body.id);
    });
    await sleep(5_000);
    expect(await countByState(stack)).toEqual({ received: calls, ready: 0, failed: 0 });
    const waiting = await findCall(service, ids[0] ?? "");
    say(`while the folder is full: ${JSON.stringify(waiting.steps)}`);

    await rm(filler);
    const begun = Date.now();
    await until(
      "all calls are ready",
      full ? 600_000 : 120_000,
      async () => (await countByState(stack)).ready === calls,
      200,
    );
    say(`${calls} calls ready ${Date.now() - begun} ms after space was freed`);
    const times = await countEvents(stack, "call.ready");
    expect(ids.filter((id) => times.get(id) !== 1)).toEqual([]);
    expect(await worker.stop()).toBe(0);
  },
);
