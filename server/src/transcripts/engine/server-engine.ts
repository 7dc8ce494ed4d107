import type { IncomingMessage } from "node:http";
import { type Engine, EngineError, type HeardWord, type Sound, sampleRate } from "./engine.ts";
import { postSound } from "./post-sound.ts";
import { readAnswer } from "./read-answer.ts";

export interface ServerEngineOptions {
  /** Address of the server, with or without `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly timeoutMs: number;
}

const path = "v1/audio/transcriptions";
/** More than any answer for 30 s of speech. */
const mostAnswerBytes = 4 * 1024 * 1024;

/** A server that has refused times of words is asked for them again after an hour: it may have been another reason. */
const askAgainAfterMs = 3600_000;

/** An engine behind the OpenAI interface: whisper.cpp, speaches, vLLM, LocalAI, Groq, Azure, OpenAI. */
export function openServerEngine({ url, model, apiKey, timeoutMs }: ServerEngineOptions): Engine {
  const address = new URL(path, `${url.replace(/(?:\/v1)?\/*$/, "")}/`);
  let wordTimesRefusedUntil = 0;

  function send(sound: Sound, withWords: boolean, signal: AbortSignal): Promise<IncomingMessage> {
    const fields: [string, string][] = [
      ["model", model],
      ["language", sound.language.split("-", 1)[0] ?? sound.language],
      ["response_format", "verbose_json"],
      ["temperature", "0"],
    ];
    if (withWords) for (const unit of ["word", "segment"]) fields.push(["timestamp_granularities[]", unit]);
    return postSound(address, { fields, samples: sound.samples, apiKey }, signal);
  }

  return {
    name: "server",
    model,
    packs: true,
    async transcribe(sound, signal) {
      const deadline = AbortSignal.timeout(timeoutMs);
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
      const durationMs = (sound.samples.length / sampleRate) * 1000;
      try {
        const withWords = Date.now() > wordTimesRefusedUntil;
        let response = await send(sound, withWords, either);
        // Some servers refuse word times (Groq); then times are by segment.
        if (response.statusCode === 400 && withWords) {
          response.resume();
          response = await send(sound, false, either);
          if (response.statusCode === 200) wordTimesRefusedUntil = Date.now() + askAgainAfterMs;
        }
        return await read(response, durationMs);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof EngineError) throw error;
        const why = deadline.aborted ? `did not answer within ${timeoutMs / 1000} s` : "cannot be reached";
        throw new EngineError("engine_unavailable", `The transcription server ${why}.`, { cause: error });
      }
    },
    close: async () => {},
  };
}

async function read(response: IncomingMessage, durationMs: number): Promise<HeardWord[]> {
  const text = await readText(response);
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    const json = parse(text);
    if (json === undefined)
      throw new EngineError("engine_answer_invalid", "The transcription server's answer is not JSON.");
    return readAnswer(json, durationMs);
  }
  const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
  const isRedirect = status >= 300 && status < 400;
  const remedy = isRedirect ? " Set TRANSCRIBER_URL to the address that it redirects to." : "";
  throw new EngineError(
    isTemporary ? "engine_unavailable" : "engine_refused",
    `The transcription server answered ${status}${status >= 500 ? "" : reasonIn(text)}.${remedy}`,
    { concernsAll: isTemporary || isRedirect || misconfigured.includes(status) },
  );
}

/** The credentials, the account, the address or the protocol are wrong. */
const misconfigured = [401, 402, 403, 404, 405, 407, 421, 426];

async function readText(response: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostAnswerBytes)
      throw new EngineError("engine_answer_invalid", "The transcription server's answer is too large.");
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The message of a refusal, which is plain text in some servers. It is stored with the call and announced, so digits and anything
 * that may be a key are left out.
 */
function reasonIn(text: string): string {
  const json = parse(text) as { error?: { message?: unknown } | string; detail?: unknown } | undefined;
  const error = typeof json?.error === "string" ? json.error : json?.error?.message;
  const message = error ?? json?.detail ?? (json === undefined ? text : undefined);
  if (typeof message !== "string" || message.trim() === "") return "";
  const harmless = message.replaceAll(/\p{Nd}/gu, "#").replaceAll(/\S{20,}/g, "…");
  return `: ${harmless.replaceAll(/\s+/g, " ").trim().slice(0, 200)}`;
}
