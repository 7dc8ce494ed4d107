import { canonicalJson } from "@hearback/scoring/canonical-json";
import { concatBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { isBefore, utf8 } from "./bytes.ts";
import { commitmentTo, drawCalls, drawSeed, openSmallestTickets } from "./tickets.ts";

const key = new Uint8Array(32).fill(7);
const root = new Uint8Array(32).fill(9);
const input = { key, rules: { per_agent: 3 }, period: "2026-11-16/2026-11-22", root, nonce: "works council" };
const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/* The hashes of the platform, as a second implementation. The types of this folder know no platform. */
declare const crypto: {
  readonly subtle: {
    digest(algorithm: string, bytes: Uint8Array): Promise<ArrayBuffer>;
    importKey(
      format: "raw",
      key: Uint8Array,
      algorithm: object,
      extractable: boolean,
      usages: string[],
    ): Promise<object>;
    sign(algorithm: string, key: object, bytes: Uint8Array): Promise<ArrayBuffer>;
  };
};
const { subtle } = crypto;
const sha256 = async (bytes: Uint8Array) => new Uint8Array(await subtle.digest("SHA-256", bytes));
async function hmac(secret: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, bytes));
}

test("the seed is the HMAC of rules, period, root and nonce, as the platform calculates it", async () => {
  const rules = await sha256(utf8(canonicalJson(input.rules)));
  const parts = concatBytes(rules, utf8(input.period), root, utf8(input.nonce));
  expect(hex(drawSeed(input))).toBe(hex(await hmac(key, parts)));
  expect(hex(commitmentTo(key))).toBe(hex(await sha256(key)));
});

test("every part of the input changes the seed, also the nonce", () => {
  const others = [
    { key: new Uint8Array(32).fill(8) },
    { rules: { per_agent: 4 } },
    { period: "2026-11-23/2026-11-29" },
    { root: new Uint8Array(32).fill(8) },
    { nonce: "" },
    { nonce: "works council " },
  ];
  const seeds = [input, ...others.map((other) => ({ ...input, ...other }))].map((one) => hex(drawSeed(one)));
  expect(new Set(seeds).size).toBe(seeds.length);
});

test("the drawn calls are those with the smallest tickets, smallest first", async () => {
  const seed = drawSeed(input);
  const calls = Array.from({ length: 40 }, (_, n) => `call ${n}`);
  const tickets = new Map<string, string>();
  for (const call of calls) tickets.set(call, hex(await hmac(seed, utf8(call))));
  const ticketOf = (call: string) => tickets.get(call) ?? "";
  const expected = calls.toSorted((a, b) => (ticketOf(a) < ticketOf(b) ? -1 : 1));
  for (const count of [0, 1, 3, 40, 41]) {
    const drawn = drawCalls(seed, calls, count);
    expect(drawn.map(({ callId }) => callId)).toEqual(expected.slice(0, count));
    for (const { callId, ticket } of drawn) expect(hex(ticket)).toBe(ticketOf(callId));
  }
});

test("of equal tickets, the first one stays", () => {
  const ticket = new Uint8Array(32);
  const drawn = openSmallestTickets(1);
  drawn.add({ callId: "first", ticket });
  drawn.add({ callId: "second", ticket });
  expect(drawn.smallest.map(({ callId }) => callId)).toEqual(["first"]);
});

test("tickets are compared byte by byte, the first difference decides", () => {
  const before = (a: number[], b: number[]) => isBefore(Uint8Array.from(a), Uint8Array.from(b));
  expect(before([1, 2, 9], [1, 3, 0])).toBe(true);
  expect(before([1, 3, 0], [1, 2, 9])).toBe(false);
  expect(before([1, 2], [1, 2])).toBe(false);
});
