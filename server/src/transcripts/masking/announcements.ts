import type { Token } from "./token.ts";

/** What was said last about the number that begins at a moment. */
export type Announced = "card" | "security_code" | "expiry_date" | "phone" | "birth" | "other";

export interface Announcements {
  /** What was announced shortly before. */
  at(ms: number): Announced | undefined;
  /** Whether a card was mentioned, or a telephone number, within half a minute before. */
  mentioned(what: "card" | "phone", ms: number): boolean;
}

/** How long after "security code" or "date of birth" its digits begin at most. */
const announcedMs = 8_000;
const mentionedMs = 30_000;
/** "The security code on the back of the card" and "your card number for this order" are one announcement. */
const sameMs = 4_000;

interface Announcement {
  readonly value: Announced;
  readonly startMs: number;
}

/** Reads what the sides announce. Tokens are in order of time. */
export function readAnnouncements(tokens: readonly Token[]): Announcements {
  const all: Announcement[] = [];
  const mentions = { card: [] as Announcement[], phone: [] as Announcement[] };
  for (const { kind, value: said, startMs } of tokens) {
    const isCue = kind === "cue" && said !== "unclear";
    if (kind !== "label" && kind !== "card" && !isCue) continue;
    const value = kind === "card" ? "card" : (said as Announced);
    const mention = { value, startMs };
    if (value === "card" || value === "phone") mentions[value].push(mention);
    if (!isPartOf(all.at(-1), mention)) all.push(mention);
  }
  return {
    at: (ms) => lastWithin(all, ms, announcedMs)?.value,
    mentioned: (what, ms) => lastWithin(mentions[what], ms, mentionedMs) !== undefined,
  };
}

function isPartOf(last: Announcement | undefined, { value, startMs }: Announcement): boolean {
  if (!last || startMs - last.startMs > sameMs) return false;
  if (value === "card") return last.value === "security_code" || last.value === "expiry_date";
  return last.value === "card" && value === "other";
}

function lastWithin(mentions: readonly Announcement[], ms: number, mostMs: number): Announcement | undefined {
  let [low, high] = [0, mentions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((mentions[middle] as Announcement).startMs <= ms) low = middle + 1;
    else high = middle;
  }
  const last = mentions[low - 1];
  return last && ms - last.startMs <= mostMs ? last : undefined;
}
