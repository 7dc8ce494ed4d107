import { hash } from "node:crypto";
import { emailKey } from "@hearback/contract";
import { networkOf } from "../../platform/client-network.ts";

/**
 * What a counter limits: `pair` is an email address from one network, `address` a network, `person` a signed-in user, `second-step` a
 * user from one network.
 */
export type ThrottleKind =
  | "pair"
  | "address"
  | "email"
  | "person"
  | "second-step"
  | "second-step-user"
  | "passkey-address"
  | "reset-address"
  | "reset-email";

/** Exponential backoff after a number of free attempts. One attempt is subtracted per `decayMs`. */
interface Rule {
  readonly freeAttempts: number;
  readonly decayMs: number;
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
}

const minute = 60_000;
/** How long a successful sign-in makes an email address from a network trusted. */
export const trustedMs = 30 * 24 * 60 * minute;
export const throttleRules: Readonly<Record<ThrottleKind, Rule>> = {
  pair: { freeAttempts: 5, decayMs: 30 * minute, initialBackoffMs: 5_000, maxBackoffMs: 15 * minute },
  // Higher limits: many users share a network, and attackers must not lock out the owner of an email address.
  address: { freeAttempts: 60, decayMs: minute, initialBackoffMs: 1_000, maxBackoffMs: 15 * minute },
  email: { freeAttempts: 30, decayMs: 5 * minute, initialBackoffMs: 1_000, maxBackoffMs: 5 * minute },
  // A signed-in user entering the current password.
  person: { freeAttempts: 5, decayMs: 30 * minute, initialBackoffMs: 5_000, maxBackoffMs: 15 * minute },
  // TOTP and recovery codes. 3 of 1,000,000 TOTP codes are valid at any time.
  "second-step": { freeAttempts: 5, decayMs: 30 * minute, initialBackoffMs: 5_000, maxBackoffMs: 15 * minute },
  // From any network: a person with the password, but no code, must not lock out the holder elsewhere.
  "second-step-user": { freeAttempts: 30, decayMs: 30 * minute, initialBackoffMs: 5_000, maxBackoffMs: 15 * minute },
  // Passkey challenges that were never answered.
  "passkey-address": { freeAttempts: 120, decayMs: 10_000, initialBackoffMs: 1_000, maxBackoffMs: minute },
  "reset-address": { freeAttempts: 10, decayMs: 2 * minute, initialBackoffMs: 10_000, maxBackoffMs: 15 * minute },
  "reset-email": { freeAttempts: 3, decayMs: 20 * minute, initialBackoffMs: 5 * minute, maxBackoffMs: 60 * minute },
};

/** Hashed, so that the table contains no email or IP addresses. */
export const throttleDigest = (kind: ThrottleKind, ...of: string[]) =>
  hash("sha256", [kind, ...of].join("\0"), "buffer");

/** The counters that a sign-in attempt increments. */
export const signInThrottles = (email: string, address: string) => ({
  pair: throttleDigest("pair", emailKey(email), networkOf(address)),
  address: throttleDigest("address", networkOf(address)),
  email: throttleDigest("email", emailKey(email)),
});

/** The counters that a code of the second step increments. */
export const secondStepThrottles = (userId: string, address: string) => ({
  "second-step": throttleDigest("second-step", userId, networkOf(address)),
  "second-step-user": throttleDigest("second-step-user", userId),
});

export interface ThrottleState {
  readonly tries: number;
  /** Time up to which decay has been applied. */
  readonly lastAt: Date;
  readonly blockedUntil: Date | null;
}

/** Remaining block; 0: not blocked. */
export const blockedMs = ({ blockedUntil }: ThrottleState, now: Date) =>
  Math.max(0, (blockedUntil?.getTime() ?? 0) - now.getTime());

/** The state after one more attempt. */
export function afterAttempt(kind: ThrottleKind, state: ThrottleState, now: Date): ThrottleState {
  const { freeAttempts, decayMs, initialBackoffMs, maxBackoffMs } = throttleRules[kind];
  const decayed = Math.max(0, Math.floor((now.getTime() - state.lastAt.getTime()) / decayMs));
  const left = Math.max(0, state.tries - decayed);
  const tries = left + 1;
  const over = tries - freeAttempts;
  const backoffMs = over < 0 ? 0 : Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.min(over, 30));
  return {
    tries,
    // Keep the fraction of a decay step for the next attempt.
    lastAt: left === 0 ? now : new Date(state.lastAt.getTime() + decayed * decayMs),
    blockedUntil: backoffMs > 0 ? new Date(now.getTime() + backoffMs) : null,
  };
}
