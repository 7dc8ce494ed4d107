import { existsSync } from "node:fs";
import { join } from "node:path";
import { download, findCall, get } from "../../support/http/call-details.ts";
import { type EventClient, eventClient } from "../../support/http/event-client.ts";
import type { Service } from "../../support/http/service.ts";
import { sendJson } from "../../support/http/users.ts";
import type { Speaker } from "../../support/recordings/conversation.ts";
import type { TimedWord } from "../../support/recordings/telephone-speech.ts";
import { runServerCommand } from "../../support/stack/server-command.ts";
import type { Stack } from "../../support/stack/stack.ts";
import { until } from "../../support/waiting.ts";

const models = join(import.meta.dirname, "../../../.data/models");

/** Settings of a worker that recognises speech itself. Fetches the model if it is not there. */
export async function localEngine(): Promise<Record<string, string>> {
  const model = "moonshine-base-en";
  const folder = join(models, model);
  if (!existsSync(folder))
    await runServerCommand(process.env as Record<string, string>, ["models", "add", model, "--dir", models]);
  // It has a low priority, and other tests may take all of the processor meanwhile.
  return { TRANSCRIBER_MODEL_DIR: folder, TRANSCRIBER_TIMEOUT_SECONDS: "900" };
}

export interface Transcript {
  readonly id: string;
  readonly call_id: string;
  readonly language: string;
  readonly engine: string;
  readonly model: string;
  readonly masked: Readonly<Record<string, number>>;
  readonly sound_masked: boolean;
  readonly turns: readonly {
    readonly side: Speaker | "left" | "right" | "mixed";
    readonly channel: "left" | "right" | "both";
    readonly start_ms: number;
    readonly end_ms: number;
    readonly words: readonly {
      readonly text: string;
      readonly start_ms: number;
      readonly end_ms: number;
      readonly probability: number | null;
      readonly uncertain?: true;
      readonly mask?: string;
    }[];
  }[];
}

export interface SpeechService {
  readonly client: EventClient;
  /** With a key of all scopes but `listen_original`. */
  readonly service: Service;
}

export interface Transcription {
  readonly language?: string | null;
  readonly masking?: "off" | "text" | "text_and_sound";
}

/** Turns transcription on in the workspace and the campaign. The agent is on the left channel. */
export async function turnOnTranscription(
  service: Service,
  { language = "en", masking = "text" }: Transcription = {},
): Promise<void> {
  await change(service, "/workspace", { settings: { transcription: true } });
  const campaign = { transcription_language: language, masking, agent_channel: "left" };
  await change(service, `/campaigns/${service.campaignId}`, campaign);
}

export async function openSpeechService(
  stack: Stack,
  baseUrl: string,
  transcription: Transcription = {},
): Promise<SpeechService> {
  const client = await eventClient(stack, baseUrl);
  const { campaignId, agentEmail } = stack;
  const service = { baseUrl, apiKey: client.apiKey, campaignId, agentEmail };
  await turnOnTranscription(service, transcription);
  return { client, service };
}

/** Changes settings. */
export async function change({ baseUrl, apiKey }: Service, path: string, body: object): Promise<void> {
  const answer = await sendJson(baseUrl + path, body, { "x-api-key": apiKey }, "PATCH");
  if (answer.status !== 200) throw new Error(`PATCH ${path}: ${answer.status} ${answer.text}`);
}

/** State of the step `transcribe` of a call. */
export async function stepOf(service: Service, id: string) {
  const { steps } = await findCall(service, id);
  return steps.find(({ step }) => step === "transcribe");
}

/** Waits until the call is transcribed, or throws why it was not. Recognition has a low priority on a busy machine. */
export async function waitForTranscript(service: Service, id: string, withinMs = 600_000): Promise<Transcript> {
  await until(
    `call ${id} is transcribed`,
    withinMs,
    async () => {
      const step = await stepOf(service, id);
      if (step?.state === "failed") throw new Error(`not transcribed: ${JSON.stringify(step)}`);
      return step?.state === "done";
    },
    100,
  );
  return readTranscript(service, id);
}

export async function readTranscript(service: Service, id: string): Promise<Transcript> {
  const answer = await get<Transcript>(service, `/calls/${id}/transcript`);
  if (answer.status !== 200) throw new Error(`no transcript of ${id}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** The transcript in another format. */
export const readText = async (service: Service, id: string, format: "vtt" | "text") =>
  (await download(service, `/calls/${id}/transcript?format=${format}`)).toString();

/** The words of one side, in order, without those that are masked. */
export const wordsOf = ({ turns }: Transcript, speaker: Speaker): TimedWord[] =>
  turns
    .filter(({ side }) => side === speaker)
    .flatMap(({ words }) => words)
    .filter(({ mask }) => mask === undefined)
    .map(({ text, start_ms, end_ms }) => ({ text, startMs: start_ms, endMs: end_ms }));

/** All words of a transcript, without those that are masked. */
export const textOf = ({ turns }: Transcript): string =>
  turns
    .flatMap(({ words }) => words)
    .map(({ text }) => text)
    .join(" ");

/** Masked parts, with their kinds. */
export const masksOf = ({ turns }: Transcript) =>
  turns.flatMap(({ side, words }) =>
    words.flatMap(({ mask, start_ms, end_ms }) => (mask ? [{ side, mask, startMs: start_ms, endMs: end_ms }] : [])),
  );
