import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { isBefore, utf8 } from "./bytes.ts";
import { rulesDigest } from "./rules.ts";

/** Published before the period begins. The service cannot choose another key afterwards. */
export const commitmentTo = (key: Uint8Array): Uint8Array => sha256(key);

export interface SeedInput {
  /** 32 random bytes, secret until the frame is closed. */
  readonly key: Uint8Array;
  readonly rules: unknown;
  /** First and last day, for example 2026-11-16/2026-11-22. */
  readonly period: string;
  /** Merkle root of the frame. */
  readonly root: Uint8Array;
  /** Text that anyone may add before the frame is closed. */
  readonly nonce: string;
}

/** All parts but the last have a fixed length, so no two inputs have the same bytes. */
export const drawSeed = ({ key, rules, period, root, nonce }: SeedInput): Uint8Array =>
  hmac(sha256, key, concatBytes(rulesDigest(rules), utf8(period), root, utf8(nonce)));

export interface Ticket {
  readonly callId: string;
  readonly ticket: Uint8Array;
}

/** Opens a lottery: returns the ticket of a call or of another text. */
export function openTickets(seed: Uint8Array): (callId: string) => Uint8Array {
  // The state of the HMAC after the key is the same for every ticket.
  const keyed = hmac.create(sha256, seed);
  return (callId) => keyed.clone().update(utf8(callId)).digest();
}

/** Keeps the `count` smallest tickets of those that are added, smallest first. */
export function openSmallestTickets(count: number) {
  const smallest: Ticket[] = [];
  return {
    smallest: smallest as readonly Ticket[],
    add(added: Ticket): void {
      const last = smallest.at(-1);
      if (smallest.length >= count && (!last || !isBefore(added.ticket, last.ticket))) return;
      let at = smallest.length;
      while (at > 0 && isBefore(added.ticket, (smallest[at - 1] as Ticket).ticket)) at--;
      smallest.splice(at, 0, added);
      if (smallest.length > count) smallest.pop();
    },
  };
}

/** The `count` calls with the smallest tickets, smallest first. */
export function drawCalls(seed: Uint8Array, callIds: Iterable<string>, count: number): readonly Ticket[] {
  const ticketOf = openTickets(seed);
  const drawn = openSmallestTickets(count);
  for (const callId of callIds) drawn.add({ callId, ticket: ticketOf(callId) });
  return drawn.smallest;
}
