import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearUserStorage } from "../../access/user-storage.ts";
import { openUnsentChanges } from "./unsent-changes.ts";

/** Node has no localStorage without a file. Object.keys lists the stored keys, as in browsers. */
function openStorage(capacity = Number.POSITIVE_INFINITY) {
  const stored: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => stored[key] ?? null,
    setItem(key: string, value: string) {
      if (value.length > capacity) throw new DOMException("full", "QuotaExceededError");
      stored[key] = value;
    },
    removeItem: (key: string) => void delete stored[key],
  };
  return { stored, storage: new Proxy(stored, { get: (_, name) => methods[name as keyof typeof methods] }) };
}

let stored: Record<string, string>;
beforeEach(() => {
  const opened = openStorage();
  stored = opened.stored;
  vi.stubGlobal("localStorage", opened.storage);
});
afterEach(() => void vi.unstubAllGlobals());

const place = { userId: "ann", callId: "call", scorecardId: "support" };
const change = { field: "greeting", base: {}, value: { value: "yes" } };
const comment = { field: "#comment", base: "", value: "Good" };

test("changes are kept per user, call, scorecard and calibration session, and removed when they are saved", () => {
  const first = openUnsentChanges(place);
  expect(first.replace([change, comment])).toBe(true);
  expect(openUnsentChanges({ ...place, userId: "bob" }).take()).toEqual([]);
  expect(openUnsentChanges({ ...place, scorecardId: "sales" }).take()).toEqual([]);
  expect(openUnsentChanges({ ...place, calibrationId: "session" }).take()).toEqual([]);
  expect(openUnsentChanges(place).take()).toEqual([change, comment]);
  first.replace([]);
});

test("a second tab does not remove the changes of the first", () => {
  const [first, second] = [openUnsentChanges(place), openUnsentChanges(place)];
  first.replace([change]);
  second.replace([comment]);
  second.replace([]);
  expect(openUnsentChanges(place).take()).toEqual([change]);
});

test("a later visit takes the changes over and removes them", () => {
  openUnsentChanges(place).replace([change]);
  const later = openUnsentChanges(place);
  later.take();
  later.replace([]);
  expect(Object.keys(stored)).toEqual([]);
});

test("signing out removes everything", () => {
  openUnsentChanges(place).replace([change]);
  stored["hearback.preferences"] = "{}";
  clearUserStorage();
  expect(Object.keys(stored)).toEqual(["hearback.preferences"]);
});

test("at most 30 reviews are kept; the oldest is dropped", () => {
  vi.useFakeTimers();
  for (let call = 0; call < 40; call++) {
    vi.advanceTimersByTime(1000);
    openUnsentChanges({ ...place, callId: `call-${call}` }).replace([change]);
  }
  vi.useRealTimers();
  expect(Object.keys(stored)).toHaveLength(30);
  expect(openUnsentChanges({ ...place, callId: "call-39" }).take()).toEqual([change]);
  expect(openUnsentChanges({ ...place, callId: "call-0" }).take()).toEqual([]);
});

test("damaged entries are ignored", () => {
  openUnsentChanges(place).replace([change]);
  const [key = ""] = Object.keys(stored);
  stored[key] = JSON.stringify({ at: Date.now(), changes: [{ field: "a", base: {}, value: { value: {} } }, change] });
  expect(openUnsentChanges(place).take()).toEqual([change]);
  stored[key] = "{";
  expect(openUnsentChanges(place).take()).toEqual([]);
});

test("says so if the browser stores nothing", () => {
  vi.stubGlobal("localStorage", openStorage(0).storage);
  expect(openUnsentChanges(place).replace([change])).toBe(false);
  vi.stubGlobal("localStorage", undefined);
  expect(openUnsentChanges(place).replace([change])).toBe(false);
  expect(openUnsentChanges(place).take()).toEqual([]);
});

test("changes older than two weeks are dropped when a review is opened", () => {
  vi.useFakeTimers({ now: Date.now() });
  openUnsentChanges(place).replace([change]);
  vi.setSystemTime(Date.now() + 15 * 24 * 3600 * 1000);
  openUnsentChanges({ ...place, callId: "other" });
  expect(Object.keys(stored)).toEqual([]);
  vi.useRealTimers();
});
