import fc from "fast-check";
import { expect, test } from "vitest";
import { modelRuns as runs } from "../../testing/run-scale.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { findCampaignAndAgent } from "../import/find-campaign-and-agent.ts";
import { importCall } from "../import/import-call.ts";
import { type IncomingRecording, openRecordingReceiver } from "./receive-recording.ts";
import { sweepObjects } from "./staged-objects.ts";

const { app, admin, caller, campaignId, agentEmail, storedFiles } = await openTestApp();
const receive = openRecordingReceiver(app);
const target = await findCampaignAndAgent(app, caller, campaignId, agentEmail);
const happenedAt = new Date("2026-01-15T10:00:00Z");

/** One step of the model. `call` selects one of three recordings, `lane` one of three concurrent uploads. */
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
    // The sweeper deleted the object first: the client gets 503 and retries.
    await recording.discard();
  }
}

/** Runs the steps in concurrent pairs, to provoke races. */
async function play(steps: Step[], base: number, acknowledged: Set<string>): Promise<void> {
  const lanes = new Map<number, Lane>();
  async function act(action: Step): Promise<void> {
    if (action.kind === "sweep") {
      await sweepObjects(app, { olderThanMs: 0 });
      return;
    }
    const lane = lanes.get(action.lane);
    if (action.kind === "start" && !lane) {
      const bytes = aRecording({ seconds: 0.1, seed: base + action.call });
      const recording = receive(caller.workspaceId);
      await recording.write(bytes.subarray(0, 1000));
      lanes.set(action.lane, { recording, bytes });
    } else if (lane && action.kind !== "start") {
      lanes.delete(action.lane);
      if (action.kind === "finish") await finish(lane, acknowledged);
      // A crash cleans up nothing.
      if (action.kind === "abort") await lane.recording.discard();
    }
  }
  for (let at = 0; at < steps.length; at += 2) await Promise.all(steps.slice(at, at + 2).map(act));
}

test(`after any sequence of uploads, aborts, crashes, retries and sweeps, acknowledged calls remain and no orphans are left (${runs} runs)`, async () => {
  const acknowledged = new Set<string>();
  let base = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      base += 3;
      await play(steps, base, acknowledged);
      // Crashed uploads are swept once their staged row exists; wait for inserts in progress.
      await receive(caller.workspaceId).discard();
      await sweepObjects(app, { olderThanMs: -1000 });
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
