import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchBody } from "./watch-body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A body of which bytes come when the test says so, and what was said of it. */
function watched() {
  const socket = { bytesRead: 0 };
  const tooSlow = vi.fn();
  const request = { socket, complete: false } as unknown as IncomingMessage;
  const watch = watchBody(request, { graceMs: 10_000, minBytesPerSecond: 1_000 }, tooSlow);
  const comes = (bytes: number) => {
    socket.bytesRead += bytes;
  };
  return { ...watch, comes, tooSlow };
}

test("a body that comes as fast as it must is left alone, and one that falls behind is not", () => {
  const { comes, tooSlow } = watched();
  for (let second = 0; second < 30; second++) {
    comes(1_000);
    vi.advanceTimersByTime(1_000);
  }
  expect(tooSlow).not.toHaveBeenCalled();
  comes(9_999);
  vi.advanceTimersByTime(10_000);
  expect(tooSlow).toHaveBeenCalledOnce();
});

test("what we ourselves do not read is not the client's doing, nor what is left of such a period", async () => {
  const { excuse, tooSlow } = watched();
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

test("a process that stood still blames nobody for it", () => {
  const { tooSlow } = watched();
  const now = vi.spyOn(performance, "now");
  now.mockReturnValue(performance.now() + 16_000);
  vi.advanceTimersByTime(10_000);
  expect(tooSlow).not.toHaveBeenCalled();
  now.mockRestore();
});

test("nothing is said once it is no longer watched", () => {
  const { stop, tooSlow } = watched();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(tooSlow).not.toHaveBeenCalled();
});
