import type { CallDetailBody } from "@hearback/sdk";
import type { Command } from "commander";
import { marks, type Style } from "../terminal/style.ts";
import { sanitize } from "../terminal/text-width.ts";
import { formatBytes, formatDuration } from "../terminal/units.ts";
import { type Context, globalOptions } from "./context.ts";

export async function showCall(context: Context, command: Command, id: string): Promise<void> {
  const { client } = await context.connect(command);
  const call = await client.calls.find(id, { signal: context.signal });
  if (globalOptions(command).json) return context.print(JSON.stringify(call));
  for (const line of describeCall(call, context.style)) context.print(line);
}

/** Formats a call as lines of text. */
export function describeCall(call: CallDetailBody, style: Style): string[] {
  const { bad, warning } = marks(style);
  const rows: readonly (readonly [string, string])[] = [
    ["id", call.id],
    ["status", call.status],
    ["time", call.conversation_time.replace(/\.000Z$/, "Z")],
    ["campaign", call.campaign_id],
    ["agent", `${call.agent.name} <${call.agent.email}>`],
    ["recording", recordingOf(call)],
    ["sha256", call.recording.sha256],
    ...talk(call),
    ...call.metadata.map(({ key, value }) => [key, value] as const),
    ["imported", call.created_at.replace(/\.\d+Z$/, "Z")],
  ];
  const width = Math.min(24, Math.max(...rows.map(([name]) => name.length)));
  return [
    ...rows.map(([name, value]) => `${style.dim(sanitize(name).padEnd(width))}  ${sanitize(value)}`),
    ...(call.failure ? [`${bad} ${sanitize(call.failure.code)}: ${sanitize(call.failure.detail)}`] : []),
    ...call.warnings.map(({ code, detail }) => `${warning} ${sanitize(code)}: ${sanitize(detail)}`),
  ];
}

function recordingOf({ recording }: CallDetailBody): string {
  const { format, codec, channels, sample_rate, duration_ms, bytes } = recording;
  const parts = [
    duration_ms !== null && formatDuration(duration_ms),
    formatBytes(bytes),
    codec === null ? format : `${format} (${codec})`,
    channels !== null && `${channels} ${channels === 1 ? "channel" : "channels"}`,
    sample_rate !== null && `${sample_rate} Hz`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

function talk({ audio }: CallDetailBody): [string, string][] {
  if (!audio) return [];
  const percent = (ratio: number) => `${Math.round(ratio * 100)}%`;
  const sides = audio.sides.map(({ side, talk_ratio }) => `${side} ${percent(talk_ratio)}`);
  return [["talk", [...sides, `silence ${percent(audio.silence_ratio)}`].join(", ")]];
}
