/** A recording: its bytes, or where they come from. A stream can be sent once, so it is asked for at every attempt. */
export type Recording =
  | Blob
  | Uint8Array
  | { readonly bytes: number; readonly stream: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>> };

export interface FormPart {
  readonly name: string;
  readonly value: string | Recording;
}

export interface FormProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export interface FormRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly FormPart[];
  /** How long nothing may move in either direction. */
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: FormProgress) => void) | undefined;
}

/** An answer, wherever it comes from. */
export interface RawAnswer {
  readonly status: number;
  readonly header: (name: string) => string | null | undefined;
  readonly text: string;
}

/** Sends forms over connections that it keeps until it is closed. */
export interface FormSender {
  readonly send: (form: FormRequest) => Promise<RawAnswer>;
  readonly close: () => void;
}

/** The recording could not be read, or is not as long as it was said to be. Nothing was imported. */
export class RecordingError extends Error {
  override name = "RecordingError";
}
