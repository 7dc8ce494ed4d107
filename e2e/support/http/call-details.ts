import { createHash } from "node:crypto";
import type { Turn } from "../recordings/conversation.ts";
import type { TestWorkspace } from "../stack/stack.ts";
import { until } from "../waiting.ts";
import { type Answer, send } from "./http.ts";
import type { Call, Service } from "./service.ts";

export type SideName = "agent" | "customer" | "left" | "right" | "mixed";

interface Side {
  readonly side: SideName;
  readonly channel: "left" | "right" | "both";
}

/** Response of `GET /calls/{id}`, with the members that the tests use. */
export interface CallDetail extends Omit<Call, "duplicate"> {
  readonly agent_channel: { readonly value: "left" | "right" | "unknown"; readonly from: "call" | "campaign" };
  readonly audio: {
    readonly layout: "mono" | "dual" | "dual_identical" | "one_silent";
    readonly sides: readonly (Side & { readonly talk_ms: number; readonly loudness_lufs: number | null })[];
    readonly overtalk_ms: number | null;
    readonly silence_ms: number;
    readonly longest_silence_ms: number;
    readonly playback: { readonly url: string; readonly media_type: string; readonly bytes: number };
    readonly waveform: { readonly url: string; readonly bytes: number };
    readonly speech: { readonly url: string };
  } | null;
  readonly steps: readonly { readonly step: string; readonly state: string; readonly attempts: number }[];
}

export interface Speech {
  readonly sides: readonly (Side & { readonly turns: readonly Turn[] })[];
}

/** All failure codes. */
export const failureCodes: readonly string[] = [
  "recording_undecodable",
  "recording_too_long",
  "recording_too_costly",
  "recording_missing",
  "recording_corrupt",
  "preparation_abandoned",
];

/** The same service with a key that has all scopes. */
export async function withEveryScope(stack: TestWorkspace, service: Service): Promise<Service> {
  const { key } = await stack.command<{ key: string }>(
    ...["key", "create", "--workspace", stack.workspaceId, "--name", "media", "--json"],
    ...["--scope", "import", "read", "review", "manage"],
  );
  return { ...service, apiKey: key };
}

export function get<Body>(service: Service, path: string): Promise<Answer<Body>> {
  return send<Body>(service.baseUrl + path, { method: "GET", headers: { "x-api-key": service.apiKey } });
}

export async function findCall(service: Service, id: string): Promise<CallDetail> {
  const answer = await get<CallDetail>(service, `/calls/${id}`);
  if (answer.status !== 200) throw new Error(`cannot read call ${id}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Waits until the call is ready or failed. */
export async function waitForCall(service: Service, id: string, withinMs = 60_000): Promise<CallDetail> {
  return until(
    `call ${id} is ready or failed`,
    withinMs,
    async () => {
      const call = await findCall(service, id);
      return call.status === "received" ? undefined : call;
    },
    100,
  );
}

/** Body of a successful response. */
export async function download(service: Service, path: string): Promise<Buffer> {
  const answer = await fetch(service.baseUrl + path, { headers: { "x-api-key": service.apiKey } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Parses a waveform (BBC audiowaveform, version 2). Throws if it is malformed. */
export function readWaveform(bytes: Buffer) {
  const [version, flags, sampleRate, samplesPerPixel, length, channels] = [0, 4, 8, 12, 16, 20].map((at) =>
    bytes.readInt32LE(at),
  ) as [number, number, number, number, number, number];
  if (version !== 2) throw new Error(`version ${version} instead of 2`);
  const bits = flags & 1 ? 8 : 16;
  const expected = 24 + length * channels * 2 * (bits / 8);
  if (bytes.length !== expected) throw new Error(`${bytes.length} bytes instead of ${expected}`);
  const points = bits === 8 ? new Int8Array(bytes.subarray(24)) : new Int16Array(bytes.subarray(24));
  /** Peak-to-peak amplitude of a channel at a point. */
  const span = (point: number, channel: number) => {
    const at = (point * channels + channel) * 2;
    return (points[at + 1] ?? 0) - (points[at] ?? 0);
  };
  return { bits, channels, length, pointsPerSecond: sampleRate / samplesPerPixel, span };
}
