import { readRecording } from "./read-recording.ts";
import type { Verdict } from "./verdict.ts";

export type { RecordingFacts, Verdict } from "./verdict.ts";

export interface Recogniser {
  write(chunk: Uint8Array): void;
  end(): Verdict;
}

/** Small looks share a slab, so that walking thousands of headers does not allocate thousands of buffers. */
const SLAB_BYTES = 4096;
const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);

/** Tells what a recording is, by its content alone, while it streams past. Holds at most 64 KiB of it. */
export function recogniseRecording(): Recogniser {
  const reading = readRecording();
  let step = reading.next();
  let passed = 0;

  // Bytes looked at and not yet gone by: slab[start..end]. A slab is filled once and never rewritten, so a view that
  // a container keeps stays true.
  let slab = NOTHING;
  let start = 0;
  let end = 0;

  function hold(bytes: Uint8Array, capacity: number): void {
    if (start + capacity > slab.length) {
      const larger = new Uint8Array(Math.max(capacity, SLAB_BYTES));
      larger.set(slab.subarray(start, end));
      slab = larger;
      end -= start;
      start = 0;
    }
    slab.set(bytes, end);
    end += bytes.length;
  }

  /** Answers requests until one needs more than there is. */
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
        const there = Math.min(bytes, end - start);
        if (there < bytes && !ended) return;
        step = reading.next({ view: new DataView(slab.buffer, start, there), passed: 0 });
      } else {
        const held = Math.min(bytes - passed, end - start);
        const fresh = Math.min(bytes - passed - held, chunk.length - at);
        start += held;
        at += fresh;
        passed += held + fresh;
        if (passed < bytes && !ended) return;
        step = reading.next({ view: NO_VIEW, passed });
        passed = 0;
      }
    }
    slab = NOTHING;
    start = 0;
    end = 0;
  }

  return {
    write: (chunk) => advance(chunk, false),
    end() {
      advance(NOTHING, true);
      // Cannot be: after the end every request is answered, with less than it asked for.
      if (!step.done) throw new Error("A container asked for bytes after the end.");
      return step.value;
    },
  };
}
