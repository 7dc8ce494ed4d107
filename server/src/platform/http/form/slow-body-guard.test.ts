import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardSlowBody } from "./slow-body-guard.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A guarded body that receives bytes under control of the test. */
function guarded() {
  const socket = { bytesRead: 0 };
  const tooSlow = vi.fn();
  const request = { socket, complete: false } as unknown as IncomingMessage;
  const guard = guardSlowBody(request, { graceMs: 10_000, minBytesPerSecond: 1_000 }, tooSlow);
  const receive = (bytes: number) => {
    socket.bytesRead += bytes;
  };
  return { ...guard, receive, tooSlow };
}

test("accepts a body at the minimum rate and rejects a slower one", () => {
  const { receive, tooSlow } = guarded();
  for (let second = 0; second < 30; second++) {
    receive(1_000);
    vi.advanceTimersByTime(1_000);
  }
  expect(tooSlow).not.toHaveBeenCalled();
  receive(9_999);
  vi.advanceTimersByTime(10_000);
  expect(tooSlow).toHaveBeenCalledOnce();
});

test("does not count periods in which the server did not read all the time", async () => {
  const { excuse, tooSlow } = guarded();
  const work = Promise.withResolvers<void>();
  excuse(work.promise);
  vi.advanceTimersByTime(35_000);
  work.resolve();
  await work.promise;
  vi.advanceTimersByTime(5_000);
  expect(tooSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(tooSlow).toHaveBeenCalledOnce();
});

test("does not count periods in which the process was blocked", () => {
  const { tooSlow } = guarded();
  const now = vi.spyOn(performance, "now");
  now.mockReturnValue(performance.now() + 16_000);
  vi.advanceTimersByTime(10_000);
  expect(tooSlow).not.toHaveBeenCalled();
  now.mockRestore();
});

test("does nothing after stop()", () => {
  const { stop, tooSlow } = guarded();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(tooSlow).not.toHaveBeenCalled();
});
