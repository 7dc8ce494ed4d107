import type { Verdict } from "./verdict.ts";

/** What a container asks of the stream: to look at the next bytes, or to let some go by unseen. */
interface Request {
  readonly act: "peek" | "skip";
  readonly bytes: number;
}

/** The bytes looked at, or how many went by. Fewer than asked for means that the stream ended. */
interface Answer {
  readonly view: DataView;
  readonly passed: number;
}

/** A conversation with the stream that ends in a result. Written as if all bytes were there. */
export type Reading<Result> = Generator<Request, Result, Answer>;

/** One kind of file: how its first bytes look, and how to read it from its first byte on. */
export interface Container {
  matches(head: DataView): boolean;
  read(): Reading<Verdict>;
}

/** No request holds more of the stream than this. */
const PEEK_LIMIT = 64 * 1024;

/**
 * How many small units (boxes, pages, elements) of a file are walked. Hours of real audio stay below it, and a file
 * made of nothing but tiny units costs a second of work instead of minutes.
 */
export const UNIT_LIMIT = 1_000_000;

/** Asks for the next bytes, which stay in the stream: `const { view } = yield peek(4)`. */
export function peek(bytes: number): Request {
  return { act: "peek", bytes: Math.min(bytes, PEEK_LIMIT) };
}

/** Lets bytes go by: `const { passed } = yield skip(4)`. `skip(Infinity)` measures what is left. */
export function skip(bytes: number): Request {
  return { act: "skip", bytes };
}

/** The next bytes, which go by, or undefined if there are not as many. */
export function* take(bytes: number): Reading<DataView | undefined> {
  const { view } = yield peek(bytes);
  if (view.byteLength < bytes) return undefined;
  yield skip(bytes);
  return view;
}

/** Bytes as Latin-1 text, shorter where the view is. */
export function text(view: DataView, from: number, length: number): string {
  let result = "";
  const end = Math.min(from + length, view.byteLength);
  for (let at = from; at < end; at++) result += String.fromCharCode(view.getUint8(at));
  return result;
}
