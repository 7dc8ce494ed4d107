import { readRecording } from "./read-recording.ts";
import type { RecognitionResult } from "./recognition-result.ts";

export type { RecognitionResult, RecordingFacts } from "./recognition-result.ts";

export interface Recogniser {
  write(chunk: Uint8Array): void;
  end(): RecognitionResult;
}

/** Small peeks share a buffer, so that walking thousands of headers does not allocate thousands of buffers. */
const BUFFER_BYTES = 4096;
const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);

/** Recognises a recording by its content while it streams. Buffers at most 64 KiB. */
export function recogniseRecording(): Recogniser {
  const parser = readRecording();
  let step = parser.next();
  let passed = 0;

  // Peeked bytes that are not consumed yet: buffer[start..end]. A buffer is never overwritten, so views that a
  // container keeps stay valid.
  let buffer = NOTHING;
  let start = 0;
  let end = 0;

  function hold(bytes: Uint8Array, capacity: number): void {
    if (start + capacity > buffer.length) {
      const larger = new Uint8Array(Math.max(capacity, BUFFER_BYTES));
      larger.set(buffer.subarray(start, end));
      buffer = larger;
      end -= start;
      start = 0;
    }
    buffer.set(bytes, end);
    end += bytes.length;
  }

  /** Serves requests until one needs more data. */
  function advance(chunk: Uint8Array, ended: boolean): void {
    let at = 0;
    while (!step.done) {
      const { act, bytes } = step.value;
      if (act === "peek") {
        const missing = Math.min(bytes - (end - start), chunk.length - at);
        if (missing > 0) {
          hold(chunk.subarray(at, at + missing), bytes);
          at += missing;
        }
        const available = Math.min(bytes, end - start);
        if (available < bytes && !ended) return;
        step = parser.next({ view: new DataView(buffer.buffer, start, available), passed: 0 });
      } else {
        const held = Math.min(bytes - passed, end - start);
        const fresh = Math.min(bytes - passed - held, chunk.length - at);
        start += held;
        at += fresh;
        passed += held + fresh;
        if (passed < bytes && !ended) return;
        step = parser.next({ view: NO_VIEW, passed });
        passed = 0;
      }
    }
    buffer = NOTHING;
    start = 0;
    end = 0;
  }

  return {
    write: (chunk) => advance(chunk, false),
    end() {
      advance(NOTHING, true);
      // Unreachable: after the end, every request is served with fewer bytes.
      if (!step.done) throw new Error("A container parser requested bytes after the end.");
      return step.value;
    },
  };
}
