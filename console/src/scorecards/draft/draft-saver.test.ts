import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDraftSaver, type Failure } from "./draft-saver.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that keeps one draft. `failures` are thrown first. */
function aSaver(failures: Failure[] = []) {
  const requests: [document: string, ifMatch: number][] = [];
  const saver = createDraftSaver({
    number: 1,
    document: "published",
    async save(document: string, ifMatch: number) {
      requests.push([document, ifMatch]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const failure = failures.shift();
      if (failure) throw failure;
      return ifMatch + 1;
    },
    classify: (error) => error as Failure,
  });
  return { saver, requests };
}

test("typing is saved once after a pause, then with the new number", async () => {
  const { saver, requests } = aSaver();
  saver.change("a");
  await vi.advanceTimersByTimeAsync(300);
  saver.change("ab");
  expect(saver.state()).toEqual({ kind: "waiting" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([saver.state(), saver.number()]).toEqual([{ kind: "saved" }, 2]);
  saver.change("abc");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toEqual([
    ["ab", 1],
    ["abc", 2],
  ]);
});

test("what is typed during a request is saved by the next one", async () => {
  const { saver, requests } = aSaver();
  saver.change("a");
  await vi.advanceTimersByTimeAsync(750);
  expect(saver.state()).toEqual({ kind: "saving" });
  saver.change("ab");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(requests).toEqual([
    ["a", 1],
    ["ab", 2],
  ]);
  expect(saver.state()).toEqual({ kind: "saved" });
});

test("a network failure is retried with the latest document", async () => {
  const { saver, requests } = aSaver(["retry", "retry"]);
  saver.change("a");
  await vi.advanceTimersByTimeAsync(900);
  expect(saver.state()).toMatchObject({ kind: "failed", retries: true });
  saver.change("ab");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(requests).toEqual([
    ["a", 1],
    ["ab", 1],
    ["ab", 1],
  ]);
  expect(saver.state()).toEqual({ kind: "saved" });
});

test("a refused document waits for the next change", async () => {
  const { saver, requests } = aSaver(["refused"]);
  saver.change("too long");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(saver.state()).toMatchObject({ kind: "failed", retries: false });
  expect(requests.length).toBe(1);
  saver.change("short");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saver.state()).toEqual({ kind: "saved" });
});

test("a conflict waits, and then overwrites knowingly", async () => {
  const { saver, requests } = aSaver([{ conflict: 7 }]);
  saver.change("mine");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(saver.state()).toEqual({ kind: "conflict", number: 7 });
  saver.change("mine, longer");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests.length).toBe(1);
  expect(await saver.flush()).toBe(false);
  void saver.overwrite(7);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests.at(-1)).toEqual(["mine, longer", 7]);
  expect([saver.state(), saver.number()]).toEqual([{ kind: "saved" }, 8]);
});

test("a conflict ends by loading the other version", async () => {
  const { saver, requests } = aSaver([{ conflict: 7 }]);
  saver.change("mine");
  await vi.advanceTimersByTimeAsync(1_000);
  saver.reset("theirs", 7);
  saver.change("theirs");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requests.length).toBe(1);
  expect([saver.state(), saver.number()]).toEqual([{ kind: "saved" }, 7]);
});

test("flush saves at once, also during a request", async () => {
  const { saver, requests } = aSaver();
  saver.change("a");
  const first = saver.flush();
  await vi.advanceTimersByTimeAsync(50);
  saver.change("ab");
  const second = saver.flush();
  await vi.advanceTimersByTimeAsync(300);
  expect([await first, await second]).toEqual([false, true]);
  expect(requests.map(([document]) => document)).toEqual(["a", "ab"]);
});
