import type { CallDetailBody, CallReferenceBody, SpeechBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import type { CallStep, Transcript } from "../../platform/database/tables.ts";
import { playback } from "../../platform/media/ffmpeg/transcode.ts";
import { toCallBody } from "./call-body.ts";
import { type CallViewer, findVisibleCall, type StoredCall } from "./find-call.ts";
import type { ChannelOrBoth, MeasuredAudio, Turns, Warning } from "./measured-audio.ts";

type Step = Selectable<CallStep>;
type StoredTranscript = Pick<Selectable<Transcript>, "id" | "language" | "words" | "muted">;
type AgentChannel = CallDetailBody["agent_channel"];

export interface CallDetail {
  readonly call: StoredCall;
  readonly steps: readonly Step[];
  readonly transcript: StoredTranscript | undefined;
}

/** Returns a call, the state of its steps, and where its transcript is. */
export async function findCallDetail(db: Db, viewer: CallViewer, id: string): Promise<CallDetail> {
  const call = await findVisibleCall(db, viewer, id);
  const steps = await db
    .selectFrom("callStep")
    .selectAll()
    .where("workspaceId", "=", viewer.workspaceId)
    .where("callId", "=", call.id)
    .execute();
  const transcript = await db
    .selectFrom("transcript")
    .select(["id", "language", "words", "muted"])
    .where("workspaceId", "=", viewer.workspaceId)
    .where("callId", "=", call.id)
    .executeTakeFirst();
  return { call, steps, transcript };
}

/** Calls that wait longer than this carry a warning: no worker is running, or the workers cannot keep up. */
export const delayedAfterMs = 15 * 60_000;

export function toCallDetailBody({ call, steps, transcript }: CallDetail, now = Date.now()): CallDetailBody {
  const { duplicate: _, ...body } = toCallBody(call, { duplicate: false, warnings: call.warnings as Warning[] });
  const prepare = toStep("prepare", steps.find(({ step }) => step === "prepare") ?? call.createdAt);
  const transcribe = steps.find(({ step }) => step === "transcribe");
  const delayed = prepare.state === "waiting" && !prepare.reason && now - Date.parse(prepare.since) > delayedAfterMs;
  return {
    ...body,
    warnings: delayed ? [...body.warnings, delay(prepare.since)] : body.warnings,
    agent_channel: agentChannelOf(call),
    audio: call.measured ? audioOf(call, call.measured as MeasuredAudio) : null,
    transcript: transcript ? transcriptOf(call, transcript) : null,
    steps: transcribe ? [prepare, toStep("transcribe", transcribe)] : [prepare],
  };
}

/** Response after a change. An API key without the `read` scope gets only the call's id and status. */
export function toVisibleBody(caller: Caller, detail: CallDetail): CallDetailBody | CallReferenceBody {
  const mayRead = caller.kind === "session" || caller.scopes.includes("read");
  if (mayRead) return toCallDetailBody(detail);
  return { id: detail.call.id, status: detail.call.status as CallReferenceBody["status"] };
}

const delay = (since: string) => ({
  code: "preparation_delayed",
  detail: `The call has been waiting for preparation since ${since}. Run \`hearback-server doctor\` to check that a worker is running and keeping up.`,
});

type StepBody = CallDetailBody["steps"][number];

/** Before its first attempt, a step has only the time since it waits. */
function toStep(name: StepBody["step"], step: Step | Date): StepBody {
  if (step instanceof Date) return { step: name, state: "waiting", attempts: 0, since: step.toISOString() };
  const { attempts, reasonCode, reasonDetail } = step;
  const reason = reasonCode ? { reason: { code: reasonCode, detail: reasonDetail ?? "" } } : {};
  // The attempt ended without an outcome, so the call is retried.
  const interrupted = step.state === "running" && step.endedAt !== null;
  const state = interrupted ? "waiting" : (step.state as StepBody["state"]);
  return { step: name, state, attempts, since: (step.endedAt ?? step.startedAt).toISOString(), ...reason };
}

function transcriptOf(
  call: StoredCall,
  { id, language, words, muted }: StoredTranscript,
): CallDetailBody["transcript"] {
  const counts = Object.values(words as Record<string, number>);
  return {
    id,
    url: `/calls/${call.id}/transcript`,
    language,
    words: counts.reduce((sum, count) => sum + count, 0),
    sound_masked: muted !== null,
  };
}

/** The agent's channel: the correction on this call, or else the campaign's default. */
export function agentChannelOf(call: Pick<StoredCall, "agentChannel" | "campaignAgentChannel">): AgentChannel {
  if (call.agentChannel) return { value: call.agentChannel as AgentChannel["value"], from: "call" };
  return { value: (call.campaignAgentChannel as "left" | "right" | null) ?? "unknown", from: "campaign" };
}

export function sideName(channel: ChannelOrBoth, agent: AgentChannel["value"]) {
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
      side: sideName(channel, agent),
      channel,
      talk_ms: talkMs,
      talk_ratio: share(talkMs),
      loudness_lufs: loudness,
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

/** Adds the side name (agent, customer, …) to each stored channel. */
export function toSpeechBody(call: StoredCall, turns: Turns): SpeechBody {
  const agent = agentChannelOf(call).value;
  return {
    sides: turns.map(({ channel, turns: spoken }) => ({
      side: sideName(channel, agent),
      channel,
      turns: spoken.map(([start, end]): [number, number] => [start, end]),
    })),
  };
}
