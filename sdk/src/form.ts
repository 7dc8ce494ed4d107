/** A recording: its bytes, or a function that opens a stream. The function is called for every attempt. */
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
  /** Abort after this long without traffic in either direction. */
  readonly idleTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: FormProgress) => void) | undefined;
}

/** A response from fetch, node:http or XMLHttpRequest. */
export interface RawResponse {
  readonly status: number;
  readonly header: (name: string) => string | null | undefined;
  readonly text: string;
}

/** Sends forms over keep-alive connections. */
export interface FormSender {
  readonly send: (form: FormRequest) => Promise<RawResponse>;
  readonly close: () => void;
}

/** The recording cannot be read, or its length differs from the declared one. Nothing was imported. */
export class RecordingError extends Error {
  override name = "RecordingError";
}
