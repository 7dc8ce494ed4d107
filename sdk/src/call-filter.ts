import type { CallStatus, ReviewBody } from "./wire.ts";

type ReviewOutcome = NonNullable<ReviewBody["outcome"]>;

/** Search filters. An array matches any of its values. */
export interface CallFilter {
  readonly campaign?: string | readonly string[] | undefined;
  /** Ids or email addresses. */
  readonly agent?: string | readonly string[] | undefined;
  /** Conversations at or after this time. */
  readonly from?: Date | undefined;
  /** Conversations before this time. */
  readonly to?: Date | undefined;
  readonly importedFrom?: Date | undefined;
  readonly importedTo?: Date | undefined;
  readonly status?: CallStatus | readonly CallStatus[] | undefined;
  /** In seconds. */
  readonly minDuration?: number | undefined;
  readonly maxDuration?: number | undefined;
  /** Exact match; all keys must match. */
  readonly metadata?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** A phone number in the metadata, or its last digits. Separators, + and leading zeros are ignored. */
  readonly phone?: string | undefined;
  /** Words that one side said; in double quotes, a phrase. Case, accents and endings are ignored. */
  readonly said?: string | undefined;
  /** With `said`: only words of this side. */
  readonly saidBy?: "agent" | "customer" | "left" | "right" | undefined;
  /** true: only calls with a submitted review. false: only calls without one. */
  readonly reviewed?: boolean | undefined;
  readonly reviewOutcome?: ReviewOutcome | readonly ReviewOutcome[] | undefined;
  /** Ids of users or API keys. */
  readonly reviewer?: string | readonly string[] | undefined;
  /** In points from 0 to 100. */
  readonly minScore?: number | undefined;
  readonly maxScore?: number | undefined;
}
