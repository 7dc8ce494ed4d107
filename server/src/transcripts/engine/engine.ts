/** A word as an engine heard it, with times from the start of its sound. */
export interface HeardWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** From 0 to 1; null if the engine does not say. */
  readonly probability: number | null;
  /** If the engine does not time words: the part of the sound that they are somewhere in. */
  readonly within?: { readonly startMs: number; readonly endMs: number };
}

/** Samples of one side: 16 kHz, mono, 16 bit, at most 30 s. */
export interface Sound {
  readonly samples: Int16Array;
  /** Language of the call, such as `en` or `fr`. */
  readonly language: string;
}

export const sampleRate = 16_000 as const;

/** Recognises speech. */
export interface Engine {
  readonly name: string;
  readonly model: string;
  /** Whether a sound costs the same however short it is, so that short parts are sent together. */
  readonly packs: boolean;
  /** Throws an EngineError. */
  transcribe(sound: Sound, signal?: AbortSignal): Promise<readonly HeardWord[]>;
  close(): Promise<void>;
}

/**
 * - `engine_unavailable`: it does not answer, or answers that it cannot now. Retried.
 * - `engine_refused`: it refuses what it was sent, or the credentials. An operator must change something.
 * - `engine_answer_invalid`: its answer is not a transcription.
 * - `language_not_supported`: its model was made for another language.
 */
export type EngineErrorCode =
  | "engine_unavailable"
  | "engine_refused"
  | "engine_answer_invalid"
  | "language_not_supported";

export class EngineError extends Error {
  override name = "EngineError";
  readonly code: EngineErrorCode;
  /** Whether the cause concerns every call, such as wrong credentials, so that calls wait until it is removed. */
  readonly concernsAll: boolean;

  constructor(
    code: EngineErrorCode,
    message: string,
    { concernsAll = code === "engine_unavailable", ...options }: ErrorOptions & { concernsAll?: boolean } = {},
  ) {
    super(message, options);
    this.code = code;
    this.concernsAll = concernsAll;
  }
}
