import type { CallDetailBody, SpeechBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { CallStep } from "../platform/database/tables.ts";
import { playback } from "../platform/media/transcode.ts";
import { toCallBody } from "./call-body.ts";
import { type CallViewer, findKnownCall, type StoredCall } from "./find-call.ts";
import type { MeasuredAudio, Turns, Warning, Where } from "./measured-audio.ts";

type Step = Selectable<CallStep>;
type AgentChannel = CallDetailBody["agent_channel"];

export interface CallDetail {
  readonly call: StoredCall;
  readonly steps: readonly Step[];
}

/** A call and how far its preparation came. */
export async function findCallDetail(db: Db, viewer: CallViewer, id: string): Promise<CallDetail> {
  const call = await findKnownCall(db, viewer, id);
  const steps = await db
    .selectFrom("callStep")
    .selectAll()
    .where("workspaceId", "=", viewer.workspaceId)
    .where("callId", "=", call.id)
    .execute();
  return { call, steps };
}

/** Waiting longer than this is worth a word: no worker runs, or they cannot keep up. */
export const delayedMs = 15 * 60_000;

export function toCallDetailBody({ call, steps }: CallDetail, now = Date.now()): CallDetailBody {
  const { duplicate: _, ...body } = toCallBody(call, { duplicate: false, warnings: call.warnings as Warning[] });
  const prepare = prepareStep(
    call,
    steps.find(({ step }) => step === "prepare"),
  );
  const delayed = prepare.state === "waiting" && !prepare.reason && now - Date.parse(prepare.since) > delayedMs;
  return {
    ...body,
    warnings: delayed ? [...body.warnings, delay(prepare.since)] : body.warnings,
    agent_channel: agentChannelOf(call),
    audio: call.measured ? audioOf(call, call.measured as MeasuredAudio) : null,
    steps: [prepare],
  };
}

const delay = (since: string) => ({
  code: "preparation_delayed",
  detail: `It waits to be prepared since ${since}. Is a worker running, and can it keep up? \`hearback-server doctor\` tells.`,
});

function prepareStep(call: StoredCall, step: Step | undefined): CallDetailBody["steps"][number] {
  const name = { step: "prepare" } as const;
  if (!step) return { ...name, state: "waiting", attempts: 0, since: call.createdAt.toISOString() };
  const { attempts, reasonCode, reasonDetail } = step;
  const reason = reasonCode ? { reason: { code: reasonCode, detail: reasonDetail ?? "" } } : {};
  // An attempt that ended without settling the call: it is tried again.
  const interrupted = step.state === "running" && step.endedAt !== null;
  const state = interrupted ? "waiting" : (step.state as "running" | "done" | "failed");
  return { ...name, state, attempts, since: (step.endedAt ?? step.startedAt).toISOString(), ...reason };
}

/** Where the agent is: as corrected for this call, or as its campaign says. */
export function agentChannelOf(call: Pick<StoredCall, "agentChannel" | "campaignAgentChannel">): AgentChannel {
  if (call.agentChannel) return { value: call.agentChannel as AgentChannel["value"], from: "call" };
  return { value: (call.campaignAgentChannel as "left" | "right" | null) ?? "unknown", from: "campaign" };
}

function sideName(channel: Where, agent: AgentChannel["value"]) {
  if (channel === "both") return "mixed";
  if (agent === "unknown") return channel;
  return channel === agent ? "agent" : "customer";
}

function audioOf(call: StoredCall, measured: MeasuredAudio): CallDetailBody["audio"] {
  const agent = agentChannelOf(call).value;
  const duration = Math.max(1, call.durationMs ?? 0);
  const share = (ms: number) => Math.round((ms / duration) * 1000) / 1000;
  return {
    layout: measured.layout,
    sides: measured.channels.map(({ channel, talkMs, loudness }) => ({
      ...{ side: sideName(channel, agent), channel, talk_ms: talkMs },
      ...{ talk_ratio: share(talkMs), loudness_lufs: loudness },
    })),
    overtalk_ms: measured.overtalkMs,
    silence_ms: measured.silenceMs,
    silence_ratio: share(measured.silenceMs),
    longest_silence_ms: measured.longestSilenceMs,
    playback: { url: `/calls/${call.id}/audio`, media_type: playback.mediaType, bytes: call.playbackBytes ?? 0 },
    waveform: { url: `/calls/${call.id}/waveform`, bytes: call.waveformBytes ?? 0 },
    speech: { url: `/calls/${call.id}/speech` },
  };
}

/** The turns as they were stored, each side by its name. */
export function toSpeechBody(call: StoredCall, turns: Turns): SpeechBody {
  const agent = agentChannelOf(call).value;
  return {
    sides: turns.map(({ channel, turns: spoken }) => ({
      ...{ side: sideName(channel, agent), channel },
      turns: spoken.map(([start, end]): [number, number] => [start, end]),
    })),
  };
}
