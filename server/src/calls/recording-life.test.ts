import fc from "fast-check";
import { expect, test } from "vitest";
import { modelRuns as runs } from "../testing/sizes.ts";
import { aRecording } from "../testing/sounds.ts";
import { openTestApp } from "../testing/test-app.ts";
import { findTarget } from "./find-target.ts";
import { importCall } from "./import-call.ts";
import { type IncomingRecording, openRecordings } from "./recording.ts";
import { sweep } from "./sweep-recordings.ts";

const { app, admin, caller, campaignId, agentEmail, storedFiles } = await openTestApp();
const receive = openRecordings(app);
const target = await findTarget(app, caller, campaignId, agentEmail);
const happenedAt = new Date("2026-01-15T10:00:00Z");

/** What a client or the machine may do next. `call` picks one of three recordings, `lane` one of three uploads. */
type Step = { kind: "start" | "finish" | "abort" | "crash"; lane: number; call: number } | { kind: "sweep" };

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom("start", "finish", "abort", "crash"),
      lane: fc.nat(2),
      call: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "sweep" }) },
) as fc.Arbitrary<Step>;

interface Lane {
  recording: IncomingRecording;
  bytes: Buffer;
}

async function finish({ recording, bytes }: Lane, acknowledged: Set<string>): Promise<void> {
  try {
    await recording.write(bytes.subarray(1000));
    const { call } = await importCall(app, caller, { target, happenedAt, metadata: [], recording });
    acknowledged.add(call.id);
  } catch {
    // The sweeper was faster: the client hears 503 and sends it again.
    await recording.discard();
  }
}

/** Runs the steps, two of them at a time, so that they race. */
async function play(steps: Step[], base: number, acknowledged: Set<string>): Promise<void> {
  const lanes = new Map<number, Lane>();
  async function act(one: Step): Promise<void> {
    if (one.kind === "sweep") {
      await sweep(app, { olderThanMs: 0 });
      return;
    }
    const lane = lanes.get(one.lane);
    if (one.kind === "start" && !lane) {
      const bytes = aRecording({ seconds: 0.1, seed: base + one.call });
      const recording = receive(caller.workspaceId);
      await recording.write(bytes.subarray(0, 1000));
      lanes.set(one.lane, { recording, bytes });
    } else if (lane && one.kind !== "start") {
      lanes.delete(one.lane);
      if (one.kind === "finish") await finish(lane, acknowledged);
      // A crash leaves everything as it is.
      if (one.kind === "abort") await lane.recording.discard();
    }
  }
  for (let at = 0; at < steps.length; at += 2) await Promise.all(steps.slice(at, at + 2).map(act));
}

test(`whatever is started, aborted, crashed, retried and swept: acknowledged calls stay and nothing is left over (${runs} runs)`, async () => {
  const acknowledged = new Set<string>();
  let base = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      base += 3;
      await play(steps, base, acknowledged);
      // What crashed is swept once its staged row is there; a write under way may still be staging it.
      await receive(caller.workspaceId).discard();
      await sweep(app, { olderThanMs: -1000 });
      const { rows } = await admin.query<{ id: string; recording_key: string }>("select id, recording_key from call");
      const ids = new Set(rows.map((row) => row.id));
      expect(
        [...acknowledged].filter((id) => !ids.has(id)),
        "lost",
      ).toEqual([]);
      const files = new Set(await storedFiles());
      expect(
        rows.filter((row) => !files.has(row.recording_key)),
        "dangling",
      ).toEqual([]);
      expect(files.size, "orphans").toBe(rows.length);
    }),
    { numRuns: runs },
  );
}, 1_200_000);
