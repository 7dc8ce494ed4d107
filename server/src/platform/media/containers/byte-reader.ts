import type { RecognitionResult } from "./recognition-result.ts";

/** A container parser's request: look at the next bytes, or skip some. */
interface Request {
  readonly act: "peek" | "skip";
  readonly bytes: number;
}

/** The peeked bytes, or the number of skipped bytes. Fewer than requested if the stream ended. */
interface Answer {
  readonly view: DataView;
  readonly passed: number;
}

/** A parser as a coroutine: it yields requests for bytes and returns a result, so it reads like synchronous code. */
export type ByteReader<Result> = Generator<Request, Result, Answer>;

/** The parser of a container format. */
export interface Container {
  read(): ByteReader<RecognitionResult>;
}

/** Maximum number of bytes that a peek buffers. */
const PEEK_LIMIT = 64 * 1024;

/**
 * Maximum number of units (boxes, pages, elements) to walk. Hours of real audio stay below it, and a malicious file of
 * tiny units costs a second of CPU time instead of minutes.
 */
export const UNIT_LIMIT = 1_000_000;

/** Requests the next bytes without consuming them: `const { view } = yield peek(4)`. */
export function peek(bytes: number): Request {
  return { act: "peek", bytes: Math.min(bytes, PEEK_LIMIT) };
}

/** Skips bytes: `const { passed } = yield skip(4)`. `skip(Infinity)` measures the rest. */
export function skip(bytes: number): Request {
  return { act: "skip", bytes };
}

/** Consumes and returns the next bytes. Undefined if there are fewer. */
export function* take(bytes: number): ByteReader<DataView | undefined> {
  const { view } = yield peek(bytes);
  if (view.byteLength < bytes) return undefined;
  yield skip(bytes);
  return view;
}

/** Bytes as Latin-1 text; shorter if the view ends. */
export function text(view: DataView, from: number, length: number): string {
  let result = "";
  const end = Math.min(from + length, view.byteLength);
  for (let at = from; at < end; at++) result += String.fromCharCode(view.getUint8(at));
  return result;
}
