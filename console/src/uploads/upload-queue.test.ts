import { expect, test, vi } from "vitest";
import { makeKnown } from "./read-name.ts";
import { type Failure, openUploadQueue, type QueueParts, type Sending } from "./upload-queue.ts";

const known = makeKnown([{ email: "ann@example.com", name: "Ann Lee" }], [{ id: "sales", name: "Sales" }]);
const refused: Failure = { code: "recording_truncated", message: "cut short", concernsAll: false };
const away: Failure = { code: "unreachable", message: "away", concernsAll: true };

interface Held extends Sending {
  readonly succeed: () => void;
  readonly fail: (failure: Failure) => void;
}

/** A queue whose uploads end when the test says so. */
function aQueue() {
  const held: Held[] = [];
  const busy: boolean[] = [];
  const send: QueueParts["send"] = (sending) =>
    new Promise((resolve, reject) => {
      sending.signal.addEventListener("abort", () => reject(sending.signal.reason));
      const succeed = () => resolve({ kind: "done", callId: sending.file.name, outcome: "imported" });
      held.push({ ...sending, succeed, fail: reject });
    });
  const queue = openUploadQueue({
    ...{ send, toFailure: (error) => error as Failure, onBusy: (is) => busy.push(is) },
    look: async (file) => (file.size === 0 ? { fault: "empty" } : {}),
  });
  queue.know(known);
  queue.choose({ zone: "Europe/Paris", campaignId: "sales" });
  const states = () => queue.look().rows.map(({ state }) => state.kind);
  const underWay = () => states().filter((state) => state === "sending").length;
  return { queue, held, busy, states, underWay };
}

const aFile = (name: string, text = "sound", lastModified = 1) => ({
  file: new File([text], name, { lastModified }),
  path: name,
});
const files = (count: number) => Array.from({ length: count }, (_, n) => aFile(`ann 2026-05-01 10-30-${10 + n}.wav`));
const looked = (queue: ReturnType<typeof aQueue>["queue"]) =>
  vi.waitFor(() => expect(queue.look().rows.every(({ item }) => item.look)).toBe(true));

test("imports what is complete, four at a time, and leaves the rest", async () => {
  const { queue, held, busy, states, underWay } = aQueue();
  queue.add([...files(6), aFile("who.wav"), aFile("ann 2026-05-01 10-30-59.wav", "")]);
  await looked(queue);
  queue.start();
  expect([underWay(), busy.at(-1)]).toEqual([4, true]);
  held[0]?.succeed();
  await vi.waitFor(() => expect(held).toHaveLength(5));
  for (const { succeed } of held.slice(1)) succeed();
  await vi.waitFor(() => expect(held).toHaveLength(6));
  held[5]?.succeed();
  await vi.waitFor(() => expect(queue.look().running).toBe(false));
  expect(states()).toEqual([...Array.from({ length: 6 }, () => "done"), "listed", "listed"]);
  expect(busy.at(-1)).toBe(false);
  expect(held[0]?.settled).toMatchObject({ agent: { email: "ann@example.com" }, campaign: { id: "sales" } });
});

test("stops what is under way, and goes on with it", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(5));
  await looked(queue);
  queue.start();
  queue.stop();
  expect(states()).toEqual(Array.from({ length: 5 }, () => "stopped"));
  expect(queue.look().running).toBe(false);
  queue.goOn();
  expect(states().filter((state) => state === "sending")).toHaveLength(4);
  expect(held).toHaveLength(8);
});

test("what was stopped stays so while another is tried again or begun", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(3));
  await looked(queue);
  queue.start();
  held[0]?.fail(refused);
  await vi.waitFor(() => expect(states()).toEqual(["failed", "sending", "sending"]));
  queue.stop();
  queue.add([aFile("ann 2026-05-01 10-30-59.wav")]);
  await looked(queue);
  queue.retry(() => true);
  expect(states()).toEqual(["sending", "stopped", "stopped", "listed"]);
  queue.start();
  held[3]?.succeed();
  held[4]?.succeed();
  await vi.waitFor(() => expect(states()).toEqual(["done", "stopped", "stopped", "done"]));
  expect(queue.look().running).toBe(false);
});

test("one that was stopped too late is imported all the same", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(1));
  await looked(queue);
  queue.start();
  held[0]?.succeed();
  queue.stop();
  await vi.waitFor(() => expect(states()).toEqual(["done"]));
});

test("a refused file fails alone, and is tried again on request", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(2));
  await looked(queue);
  queue.start();
  held[0]?.fail(refused);
  held[1]?.succeed();
  await vi.waitFor(() => expect(states()).toEqual(["failed", "done"]));
  queue.start();
  expect(states()).toEqual(["failed", "done"]);
  queue.retry(() => true);
  held[2]?.succeed();
  await vi.waitFor(() => expect(states()).toEqual(["done", "done"]));
});

test("what concerns all stops all, and no file fails by it", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(6));
  await looked(queue);
  queue.start();
  for (const { fail } of held) fail(away);
  await vi.waitFor(() => expect(states()).toEqual(Array.from({ length: 6 }, () => "stopped")));
  expect(queue.look()).toMatchObject({ running: false, halted: { code: "unreachable" } });
  queue.goOn();
  expect(queue.look()).toMatchObject({ running: true, halted: undefined });
});

test("a mended file takes the place of the refused one, and one that is there is not added twice", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(2));
  await looked(queue);
  expect(queue.add(files(2))).toEqual({ added: 0, replaced: 0, known: 2, left: 0 });
  queue.start();
  held[0]?.fail(refused);
  held[1]?.succeed();
  await vi.waitFor(() => expect(states()).toEqual(["failed", "done"]));
  expect(queue.add([aFile("ann 2026-05-01 10-30-10.wav", "whole sound", 2)])).toMatchObject({ replaced: 1, added: 0 });
  await looked(queue);
  expect(states()).toEqual(["listed", "done"]);
});

test("also when it was in a folder before", async () => {
  const { queue } = aQueue();
  const name = "ann 2026-05-01 10-30-10.wav";
  queue.add([{ ...aFile(name, ""), path: `night/${name}` }]);
  await looked(queue);
  expect(queue.add([aFile(name, "whole sound", 2)])).toMatchObject({ replaced: 1, added: 0 });
  expect(queue.look().rows.map(({ item }) => item.path)).toEqual([`night/${name}`]);
});

test("one that is only named like another is added beside it", async () => {
  const { queue, states } = aQueue();
  const name = "ann 2026-05-01 10-30-10.wav";
  queue.add([aFile(name, "morning")]);
  await looked(queue);
  const evening = aFile(name, "evening!", 2);
  expect(queue.add([evening, evening])).toEqual({ added: 1, replaced: 0, known: 1, left: 0 });
  await looked(queue);
  expect(await Promise.all(queue.look().rows.map(({ item }) => item.file.text()))).toEqual(["morning", "evening!"]);
  expect(states()).toEqual(["listed", "listed"]);
});

test("what is said of some files holds for those, and can be taken back", async () => {
  const { queue } = aQueue();
  queue.add([aFile("a.wav"), aFile("b.wav")]);
  const ids = queue.look().rows.map(({ item }) => item.id);
  queue.give(new Set(ids.slice(0, 1)), { agentEmail: "ann@example.com" });
  expect(queue.look().rows.map(({ item }) => item.given)).toEqual([{ agentEmail: "ann@example.com" }, {}]);
  queue.give(new Set(ids), { agentEmail: undefined });
  expect(queue.look().rows.map(({ item }) => item.given)).toEqual([{}, {}]);
});

test("another person begins with none of it", () => {
  const { queue } = aQueue();
  queue.belongTo("ann");
  queue.add(files(2));
  queue.belongTo("ann");
  expect(queue.look().rows).toHaveLength(2);
  queue.belongTo("bob");
  expect(queue.look()).toMatchObject({ rows: [], leftBehind: 2 });
  queue.add(files(1));
  expect(queue.look().leftBehind).toBe(0);
});

test("and what was under way stops", async () => {
  const { queue, held, busy } = aQueue();
  queue.belongTo("ann");
  queue.add(files(2));
  await looked(queue);
  queue.start();
  queue.belongTo("bob");
  expect(held.map(({ signal, owner }) => [signal.aborted, owner])).toEqual([
    [true, "ann"],
    [true, "ann"],
  ]);
  await vi.waitFor(() => expect(busy.at(-1)).toBe(false));
  expect(queue.look()).toMatchObject({ rows: [], running: false });
});
