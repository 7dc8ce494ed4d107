import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type DraftTransport,
  type FieldValue,
  openSaveQueue,
  reviewComment,
  type SaveResult,
  type ServerDraft,
} from "./save-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const yes = { value: "yes" };
const no = { value: "no" };
const empty: ServerDraft = { number: 1, answers: {}, comment: "" };
const settle = () => vi.advanceTimersByTimeAsync(0);

/** A server with one draft. `fail` answers the next requests instead. */
function openServer(start: ServerDraft = empty) {
  let draft = start;
  const log: string[] = [];
  const fail: SaveResult[] = [];
  let latencyMs = 0;
  const wait = () => (latencyMs > 0 ? new Promise((resolve) => setTimeout(resolve, latencyMs)) : undefined);
  const apply = (field: string, value: FieldValue) => {
    const { [field]: _, ...answers } = draft.answers;
    draft =
      typeof value === "string"
        ? { ...draft, comment: value, number: draft.number + 1 }
        : {
            ...draft,
            answers: Object.keys(value).length > 0 ? { ...answers, [field]: value } : answers,
            number: draft.number + 1,
          };
  };
  const transport: DraftTransport = {
    async load() {
      log.push("load");
      await wait();
      return { kind: "loaded", draft };
    },
    async save(field, value, ifMatch) {
      log.push(`${field}=${typeof value === "string" ? value : (value.value ?? "")}@${ifMatch}`);
      await wait();
      const failure = fail.shift();
      if (failure) return failure;
      if (ifMatch !== draft.number) return { kind: "changed", draft };
      apply(field, value);
      return { kind: "saved", number: draft.number };
    },
  };
  return { transport, log, fail, apply, draft: () => draft, slowDown: (ms: number) => (latencyMs = ms) };
}

function openTest(server: ReturnType<typeof openServer>, options: Partial<Parameters<typeof openSaveQueue>[0]> = {}) {
  const queue = openSaveQueue({
    draft: server.draft(),
    transport: server.transport,
    onChange: () => undefined,
    ...options,
  });
  return { queue };
}

test("an answer is shown at once and saved with the number of the previous response", async () => {
  const server = openServer();
  const { queue } = openTest(server);
  queue.change("greeting", yes);
  queue.change("identity", no);
  expect(queue.state()).toMatchObject({ answers: { greeting: yes, identity: no }, status: "saving" });
  await settle();
  await settle();
  expect(server.log).toEqual(["greeting=yes@1", "identity=no@2"]);
  expect(queue.state()).toMatchObject({ status: "saved", number: 3 });
  expect(queue.unsentChanges()).toEqual([]);
});

test("one request at a time; a field that changes while it waits is sent once", async () => {
  const server = openServer();
  server.slowDown(100);
  const { queue } = openTest(server);
  queue.change("a", yes);
  await settle();
  queue.change("b", yes);
  queue.change("b", no);
  queue.change("a", no);
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.log).toEqual(["a=yes@1", "b=no@2", "a=no@3"]);
  expect(server.draft().answers).toEqual({ a: no, b: no });
});

test("an answer that is taken back before it is sent is not sent", async () => {
  const server = openServer();
  server.slowDown(100);
  const { queue } = openTest(server);
  queue.change("a", yes);
  queue.change("b", yes);
  queue.change("b", {});
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.log).toEqual(["a=yes@1"]);
});

test("after a lost response, a changed answer replaces the one that was saved", async () => {
  const server = openServer();
  const { queue } = openTest(server);
  queue.change("a", yes);
  server.apply("a", yes);
  server.fail.push({ kind: "retry" });
  await settle();
  queue.change("a", no);
  await vi.advanceTimersByTimeAsync(2000);
  expect(queue.state()).toMatchObject({ conflicts: [], status: "saved" });
  expect(server.draft().answers).toEqual({ a: no });
});

test("after a lost response, an answer that returns to its old value is sent", async () => {
  const server = openServer();
  const { queue } = openTest(server);
  queue.change("a", yes);
  server.apply("a", yes);
  server.fail.push({ kind: "retry" });
  await settle();
  queue.change("a", {});
  await vi.advanceTimersByTimeAsync(2000);
  expect(queue.state()).toMatchObject({ answers: {}, conflicts: [], status: "saved" });
  expect(server.draft().answers).toEqual({});
});

test("after a lost response and a reload, a changed answer replaces the one that was saved", async () => {
  const server = openServer();
  const first = openTest(server);
  first.queue.change("a", yes);
  server.fail.push({ kind: "retry" });
  await settle();
  first.queue.change("a", no);
  server.apply("a", yes);
  const { queue } = openTest(server, { unsent: first.queue.unsentChanges() });
  first.queue.end();
  await settle();
  expect(queue.state()).toMatchObject({ conflicts: [], status: "saved" });
  expect(server.draft().answers).toEqual({ a: no });
});

test("an answer that returns to its old value while it is being sent is sent again", async () => {
  const server = openServer();
  server.slowDown(100);
  const { queue } = openTest(server);
  queue.change("a", yes);
  await settle();
  queue.change("a", {});
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.log).toEqual(["a=yes@1", "a=@2"]);
  expect(queue.state().answers).toEqual({});
});

test("text is sent when it has settled, and at once with flush", async () => {
  const server = openServer();
  const { queue } = openTest(server);
  for (const text of ["F", "Fr", "Fri"]) queue.change(reviewComment, text, { settleMs: 500 });
  await vi.advanceTimersByTimeAsync(400);
  expect(server.log).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(server.log).toEqual(["#comment=Fri@1"]);
  queue.change(reviewComment, "Friendly", { settleMs: 500 });
  expect(await queue.flush()).toBe(true);
  expect(server.draft().comment).toBe("Friendly");
});

test("the review is started with the first change", async () => {
  const server = openServer();
  const { queue } = openTest(server, { draft: undefined });
  await settle();
  expect(server.log).toEqual([]);
  queue.change("a", yes);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.log).toEqual(["load", "a=yes@1"]);
});

test("failures are retried with backoff, and nothing is lost", async () => {
  const server = openServer();
  server.fail.push({ kind: "retry" }, { kind: "retry" }, { kind: "retry", afterMs: 60_000 });
  const { queue } = openTest(server);
  queue.change("a", yes);
  await settle();
  expect(queue.state().status).toBe("offline");
  expect(queue.unsentChanges()).toEqual([{ field: "a", base: {}, value: yes, sent: [yes] }]);
  queue.change("b", no);
  await vi.advanceTimersByTimeAsync(999);
  expect(server.log).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.log).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2000);
  expect(server.log).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(server.log).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1000);
  expect(queue.state().status).toBe("saved");
  expect(server.draft().answers).toEqual({ a: yes, b: no });
});

test("retry sends at once when the network is back", async () => {
  const server = openServer();
  server.fail.push({ kind: "retry" });
  const { queue } = openTest(server);
  queue.change("a", yes);
  await settle();
  const { answers } = queue.state();
  queue.retry();
  await settle();
  expect(queue.state().status).toBe("saved");
  expect(queue.state().answers).toBe(answers);
});

test("flush says whether everything is saved", async () => {
  const server = openServer();
  server.fail.push({ kind: "retry" });
  const { queue } = openTest(server);
  queue.change("a", yes);
  expect(await queue.flush()).toBe(false);
  expect(await queue.flush()).toBe(true);
  expect(await queue.flush()).toBe(true);
});

test("answers to other questions that were given elsewhere are taken over", async () => {
  const server = openServer();
  const { queue } = openTest(server);
  server.apply("b", no);
  queue.change("a", yes);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.log).toEqual(["a=yes@1", "a=yes@2"]);
  expect(queue.state()).toMatchObject({ status: "saved", conflicts: [], answers: { a: yes, b: no } });
});

test("the same question changed on both sides is a conflict, and the reviewer chooses", async () => {
  const server = openServer();
  const { queue } = openTest(server);
  server.apply("a", no);
  queue.change("a", yes);
  await vi.advanceTimersByTimeAsync(1);
  expect(queue.state().conflicts).toEqual([{ field: "a", base: {}, value: yes, theirs: no }]);
  expect(queue.state().answers).toEqual({ a: yes });
  expect(server.draft().answers).toEqual({ a: no });
  expect(await queue.flush()).toBe(false);
  queue.resolve("a", "mine");
  await vi.advanceTimersByTimeAsync(1);
  expect(server.draft().answers).toEqual({ a: yes });

  server.apply("a", no);
  queue.change("a", { value: "partly" });
  await vi.advanceTimersByTimeAsync(1);
  queue.resolve("a", "theirs");
  expect(queue.state()).toMatchObject({ conflicts: [], answers: { a: no } });
  expect(queue.unsentChanges()).toEqual([]);
});

test("the same change on both sides is no conflict", async () => {
  const server = openServer();
  const { queue } = openTest(server);
  server.apply("a", { value: "yes" });
  queue.change("a", yes);
  await vi.advanceTimersByTimeAsync(1);
  expect(queue.state()).toMatchObject({ conflicts: [], status: "saved" });
});

test("a response with an unexpected number means that the draft was changed elsewhere: nothing is overwritten", async () => {
  const server = openServer();
  const { queue } = openTest(server);
  // The first attempt saved it, its response was lost, and another tab answered "b".
  server.apply("a", yes);
  server.apply("b", no);
  server.fail.push({ kind: "saved", number: 3 });
  queue.change("a", yes);
  await vi.advanceTimersByTimeAsync(1);
  queue.change("b", yes);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.draft().answers).toEqual({ a: yes, b: no });
  expect(queue.state().conflicts).toMatchObject([{ field: "b", theirs: no }]);
});

test("changes of an earlier visit are sent, unless the draft has changed there meanwhile", async () => {
  const server = openServer({ number: 5, answers: { b: no, c: yes }, comment: "" });
  const unsent = [
    { field: "a", base: {}, value: yes },
    { field: "b", base: {}, value: yes },
    { field: "c", base: {}, value: yes },
  ];
  const { queue } = openTest(server, { unsent });
  await vi.advanceTimersByTimeAsync(1);
  expect(server.log).toEqual(["a=yes@5"]);
  expect(queue.state().conflicts).toMatchObject([{ field: "b", value: yes, theirs: no }]);
  expect(queue.unsentChanges()).toEqual([{ field: "b", base: {}, value: yes }]);
});

test("an invalid value is shown and does not block the others", async () => {
  const server = openServer();
  server.fail.push({ kind: "refused" });
  const { queue } = openTest(server);
  queue.change("a", { value: 1 });
  queue.change("b", yes);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.draft().answers).toEqual({ b: yes });
  expect(queue.state()).toMatchObject({ status: "refused", answers: { a: { value: 1 }, b: yes } });
  // Submitting would send another answer than the one on the screen.
  expect(await queue.flush()).toBe(false);
  queue.change("a", { value: 12 });
  await vi.advanceTimersByTimeAsync(1);
  expect(server.draft().answers).toMatchObject({ a: { value: 12 } });
  expect(queue.unsentChanges()).toEqual([]);
});

test("stops if the draft cannot be changed any more, and keeps what was not sent", async () => {
  const server = openServer();
  server.fail.push({ kind: "stopped", error: "submitted" });
  const { queue } = openTest(server);
  queue.change("a", yes);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(queue.state()).toMatchObject({ status: "stopped", error: "submitted", answers: { a: yes } });
  expect(server.log).toHaveLength(1);
  expect(queue.unsentChanges()).toHaveLength(1);
  expect(await queue.flush()).toBe(false);
});

test("a closed queue sends what is left, once", async () => {
  const server = openServer();
  server.slowDown(100);
  const { queue } = openTest(server);
  queue.change("a", yes);
  queue.change(reviewComment, "Good", { settleMs: 500 });
  queue.close();
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.draft()).toMatchObject({ answers: { a: yes }, comment: "Good" });
  expect(queue.unsentChanges()).toEqual([]);
});
