import { hash } from "node:crypto";
import { isIPv4 } from "node:net";
import { emailKey } from "@hearback/contract";

/** What a count of tries is about: one mailbox from one address, one address, one mailbox, one person. */
export type GuessKind = "pair" | "address" | "email" | "person" | "reset-address" | "reset-email";

/** How many tries are free, after how long one is forgotten, and the pauses that follow: each twice the one before. */
interface Rule {
  readonly free: number;
  readonly forgetMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

const minute = 60_000;
/** How long it counts that somebody came in from there. */
export const trustedMs = 30 * 24 * 60 * minute;
export const guessRules: Readonly<Record<GuessKind, Rule>> = {
  pair: { free: 5, forgetMs: 30 * minute, firstPauseMs: 5_000, longestPauseMs: 15 * minute },
  // Many people may share one, and one person may share a mailbox's name with a guesser.
  address: { free: 60, forgetMs: minute, firstPauseMs: 1_000, longestPauseMs: 15 * minute },
  email: { free: 30, forgetMs: 5 * minute, firstPauseMs: 1_000, longestPauseMs: 5 * minute },
  // Whoever is signed in and says what the password was.
  person: { free: 5, forgetMs: 30 * minute, firstPauseMs: 5_000, longestPauseMs: 15 * minute },
  "reset-address": { free: 10, forgetMs: 2 * minute, firstPauseMs: 10_000, longestPauseMs: 15 * minute },
  "reset-email": { free: 3, forgetMs: 20 * minute, firstPauseMs: 5 * minute, longestPauseMs: 60 * minute },
};

/** Who sees the count must not see of whom it is. */
export const guessDigest = (kind: GuessKind, ...of: string[]) => hash("sha256", [kind, ...of].join("\0"), "buffer");

/** An IPv6 address as its network: whoever has one of it has all of them. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(plain)) return plain;
  const [head = "", tail = ""] = plain.split("%")[0]?.split("::") ?? [];
  const before = head.split(":").filter((group) => group !== "");
  const after = tail.split(":").filter((group) => group !== "");
  const zeros = plain.includes("::") ? Math.max(0, 8 - before.length - after.length) : 0;
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}

/** The counts that a try to sign in adds to. */
export const signInGuesses = (email: string, address: string) => ({
  pair: guessDigest("pair", emailKey(email), networkOf(address)),
  address: guessDigest("address", networkOf(address)),
  email: guessDigest("email", emailKey(email)),
});

export interface Guess {
  readonly tries: number;
  /** Until when tries were forgotten, or the last one. */
  readonly lastAt: Date;
  readonly blockedUntil: Date | null;
}

/** For how long nothing more is tried; 0: it may be. */
export const blockedMs = ({ blockedUntil }: Guess, now: Date) =>
  Math.max(0, (blockedUntil?.getTime() ?? 0) - now.getTime());

/** The count after one more try. */
export function afterTry(kind: GuessKind, guess: Guess, now: Date): Guess {
  const { free, forgetMs, firstPauseMs, longestPauseMs } = guessRules[kind];
  const forgotten = Math.max(0, Math.floor((now.getTime() - guess.lastAt.getTime()) / forgetMs));
  const left = Math.max(0, guess.tries - forgotten);
  const tries = left + 1;
  const over = tries - free;
  const pauseMs = over < 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(over, 30));
  return {
    tries,
    // What is not a whole step yet counts towards the next one.
    lastAt: left === 0 ? now : new Date(guess.lastAt.getTime() + forgotten * forgetMs),
    blockedUntil: pauseMs > 0 ? new Date(now.getTime() + pauseMs) : null,
  };
}
