import { expect, test, vi } from "vitest";
import { makeDirectory } from "../names/parse-file-name.ts";
import { type Failure, openUploadQueue, type QueueParts, type Sending } from "./upload-queue.ts";

const known = makeDirectory([{ email: "ann@example.com", name: "Ann Lee" }], [{ id: "sales", name: "Sales" }]);
const refused: Failure = { code: "recording_truncated", message: "cut short", affectsAll: false };
const away: Failure = { code: "unreachable", message: "away", affectsAll: true };

interface Held extends Sending {
  readonly succeed: () => void;
  readonly fail: (failure: Failure) => void;
}

/** Queue whose uploads finish when the test says so. */
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
    send,
    toFailure: (error) => error as Failure,
    onBusy: (is) => busy.push(is),
    look: async (file) => (file.size === 0 ? { fault: "empty" } : {}),
  });
  queue.setDirectory(known);
  queue.setDefaults({ zone: "Europe/Paris", campaignId: "sales" });
  const states = () => queue.look().rows.map(({ state }) => state.kind);
  const underWay = () => states().filter((state) => state === "sending").length;
  return { queue, held, busy, states, underWay };
}

const aFile = (name: string, text = "sound", lastModified = 1) => ({
  file: new File([text], name, { lastModified }),
  path: name,
});
const files = (count: number) => Array.from({ length: count }, (_, n) => aFile(`ann 2026-05-01 10-30-${10 + n}.wav`));
const inspected = (queue: ReturnType<typeof aQueue>["queue"]) =>
  vi.waitFor(() => expect(queue.look().rows.every(({ item }) => item.look)).toBe(true));

test("imports complete files, four at a time", async () => {
  const { queue, held, busy, states, underWay } = aQueue();
  queue.add([...files(6), aFile("who.wav"), aFile("ann 2026-05-01 10-30-59.wav", "")]);
  await inspected(queue);
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
  expect(held[0]?.resolved).toMatchObject({ agent: { email: "ann@example.com" }, campaign: { id: "sales" } });
});

test("stops and resumes uploads", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(5));
  await inspected(queue);
  queue.start();
  queue.stop();
  expect(states()).toEqual(Array.from({ length: 5 }, () => "stopped"));
  expect(queue.look().running).toBe(false);
  queue.resume();
  expect(states().filter((state) => state === "sending")).toHaveLength(4);
  expect(held).toHaveLength(8);
});

test("stopped files stay stopped while others are retried or started", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(3));
  await inspected(queue);
  queue.start();
  held[0]?.fail(refused);
  await vi.waitFor(() => expect(states()).toEqual(["failed", "sending", "sending"]));
  queue.stop();
  queue.add([aFile("ann 2026-05-01 10-30-59.wav")]);
  await inspected(queue);
  queue.retry(() => true);
  expect(states()).toEqual(["sending", "stopped", "stopped", "listed"]);
  queue.start();
  held[3]?.succeed();
  held[4]?.succeed();
  await vi.waitFor(() => expect(states()).toEqual(["done", "stopped", "stopped", "done"]));
  expect(queue.look().running).toBe(false);
});

test("a file stopped too late is still imported", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(1));
  await inspected(queue);
  queue.start();
  held[0]?.succeed();
  queue.stop();
  await vi.waitFor(() => expect(states()).toEqual(["done"]));
});

test("a refused file fails alone and can be retried", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(2));
  await inspected(queue);
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

test("a file that can't be imported is replaced in its place, with its details", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(2));
  await inspected(queue);
  const [first] = queue.look().rows;
  queue.setOverrides(new Set([first?.item.id ?? 0]), { phone: "0612345678" });
  queue.start();
  held[0]?.fail(refused);
  held[1]?.succeed();
  await vi.waitFor(() => expect(states()).toEqual(["failed", "done"]));
  const whole = new File(["the whole sound"], "copy of it.wav");
  queue.replaceFile(first?.item.id ?? 0, whole);
  expect(states()).toEqual(["listed", "done"]);
  await inspected(queue);
  queue.start();
  expect(held[2]?.file).toBe(whole);
  expect(held[2]?.resolved).toMatchObject({ agent: { email: "ann@example.com" }, phone: "0612345678" });
});

test("the only campaign is the default", () => {
  const { queue } = aQueue();
  const defaultCampaign = () => queue.look().context.defaults.campaignId;
  const sales = { id: "sales", name: "Sales" };
  queue.setDefaults({ campaignId: undefined });
  queue.setDirectory(makeDirectory([], [sales, { id: "support", name: "Support" }]));
  expect(defaultCampaign()).toBeUndefined();
  queue.setDirectory(makeDirectory([], [sales]));
  expect(defaultCampaign()).toBe("sales");
});

test("a general error stops the queue without failing files", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(6));
  await inspected(queue);
  queue.start();
  for (const { fail } of held) fail(away);
  await vi.waitFor(() => expect(states()).toEqual(Array.from({ length: 6 }, () => "stopped")));
  expect(queue.look()).toMatchObject({ running: false, halted: { code: "unreachable" } });
  queue.resume();
  expect(queue.look()).toMatchObject({ running: true, halted: undefined });
});

test("a corrected file replaces the refused one, and duplicates are skipped", async () => {
  const { queue, held, states } = aQueue();
  queue.add(files(2));
  await inspected(queue);
  expect(queue.add(files(2))).toEqual({ added: 0, replaced: 0, known: 2, left: 0 });
  queue.start();
  held[0]?.fail(refused);
  held[1]?.succeed();
  await vi.waitFor(() => expect(states()).toEqual(["failed", "done"]));
  expect(queue.add([aFile("ann 2026-05-01 10-30-10.wav", "whole sound", 2)])).toMatchObject({ replaced: 1, added: 0 });
  await inspected(queue);
  expect(states()).toEqual(["listed", "done"]);
});

test("replaces a refused file from a folder", async () => {
  const { queue } = aQueue();
  const name = "ann 2026-05-01 10-30-10.wav";
  queue.add([{ ...aFile(name, ""), path: `night/${name}` }]);
  await inspected(queue);
  expect(queue.add([aFile(name, "whole sound", 2)])).toMatchObject({ replaced: 1, added: 0 });
  expect(queue.look().rows.map(({ item }) => item.path)).toEqual([`night/${name}`]);
});

test("adds a different file with the same name", async () => {
  const { queue, states } = aQueue();
  const name = "ann 2026-05-01 10-30-10.wav";
  queue.add([aFile(name, "morning")]);
  await inspected(queue);
  const evening = aFile(name, "evening!", 2);
  expect(queue.add([evening, evening])).toEqual({ added: 1, replaced: 0, known: 1, left: 0 });
  await inspected(queue);
  expect(await Promise.all(queue.look().rows.map(({ item }) => item.file.text()))).toEqual(["morning", "evening!"]);
  expect(states()).toEqual(["listed", "listed"]);
});

test("sets and clears values for some files", async () => {
  const { queue } = aQueue();
  queue.add([aFile("a.wav"), aFile("b.wav")]);
  const ids = queue.look().rows.map(({ item }) => item.id);
  queue.setOverrides(new Set(ids.slice(0, 1)), { agentEmail: "ann@example.com" });
  expect(queue.look().rows.map(({ item }) => item.overrides)).toEqual([{ agentEmail: "ann@example.com" }, {}]);
  queue.setOverrides(new Set(ids), { agentEmail: undefined });
  expect(queue.look().rows.map(({ item }) => item.overrides)).toEqual([{}, {}]);
});

test("another user starts with an empty list", () => {
  const { queue } = aQueue();
  queue.setOwner("ann");
  queue.add(files(2));
  queue.setOwner("ann");
  expect(queue.look().rows).toHaveLength(2);
  queue.setOwner("bob");
  expect(queue.look()).toMatchObject({ rows: [], discarded: 2 });
  queue.add(files(1));
  expect(queue.look().discarded).toBe(0);
});

test("another user stops running uploads", async () => {
  const { queue, held, busy } = aQueue();
  queue.setOwner("ann");
  queue.add(files(2));
  await inspected(queue);
  queue.start();
  queue.setOwner("bob");
  expect(held.map(({ signal, owner }) => [signal.aborted, owner])).toEqual([
    [true, "ann"],
    [true, "ann"],
  ]);
  await vi.waitFor(() => expect(busy.at(-1)).toBe(false));
  expect(queue.look()).toMatchObject({ rows: [], running: false });
});
