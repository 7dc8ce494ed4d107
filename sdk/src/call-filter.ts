import type { CallStatus } from "./wire.ts";

/** Which calls. Several values of one member: any of them. */
export interface CallFilter {
  readonly campaign?: string | readonly string[] | undefined;
  /** Ids or e-mail addresses. */
  readonly agent?: string | readonly string[] | undefined;
  /** Conversations at this time or later … */
  readonly from?: Date | undefined;
  /** … and before this time. */
  readonly to?: Date | undefined;
  readonly importedFrom?: Date | undefined;
  readonly importedTo?: Date | undefined;
  readonly status?: CallStatus | readonly CallStatus[] | undefined;
  /** In seconds. */
  readonly minDuration?: number | undefined;
  readonly maxDuration?: number | undefined;
  /** Compared exactly; all keys must match. */
  readonly metadata?: Readonly<Record<string, string | readonly string[]>> | undefined;
}
