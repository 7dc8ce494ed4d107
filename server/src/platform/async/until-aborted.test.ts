import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.ts";

async function collect(items: AsyncIterable<number>, seen: number[]): Promise<void> {
  for await (const item of items) seen.push(item);
}

test("passes every item on", async () => {
  async function* source() {
    yield* [1, 2, 3];
  }
  const seen: number[] = [];
  await collect(untilAborted(Promise.resolve(source()), new AbortController().signal), seen);
  expect(seen).toEqual([1, 2, 3]);
});

test("an abort ends the wait for the next item and the source", async () => {
  const stop = new AbortController();
  const next = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* source() {
    try {
      yield 1;
      await next.promise;
      yield 2;
    } finally {
      ended.resolve();
    }
  }
  const seen: number[] = [];
  const collected = collect(untilAborted(Promise.resolve(source()), stop.signal), seen);
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error("stopped"));
  await expect(collected).rejects.toThrow("stopped");
  expect(seen).toEqual([1]);
  next.resolve();
  await ended.promise;
});

test("an abort before the source is open rejects, and the source is ended once it opens", async () => {
  const opening = Promise.withResolvers<AsyncIterable<number>>();
  const ended = Promise.withResolvers<void>();
  async function* source() {
    try {
      yield 1;
    } finally {
      ended.resolve();
    }
  }
  const collected = collect(untilAborted(opening.promise, AbortSignal.abort(new Error("stopped"))), []);
  await expect(collected).rejects.toThrow("stopped");
  opening.resolve(source());
  await ended.promise;
});
