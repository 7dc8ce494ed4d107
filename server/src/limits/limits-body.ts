import type { LimitsBody } from "@hearback/contract";
import { secondsToTomorrow } from "../workspaces/usage.ts";
import { type Now, usedBy } from "./limit-status.ts";
import type { CallerLimits } from "./rate-limiter.ts";
import { refill, type TokenBucket } from "./token-bucket.ts";

export function toLimitsBody(
  { limits, key, workspace, downloads, now }: CallerLimits & { readonly now: Now },
  fixed: LimitsBody["interface"],
  /** Not for callers restricted to campaigns: the volume of the others is not theirs to see. */
  withUsage: boolean,
): LimitsBody {
  const rate = (limit: number | null, bucket: TokenBucket) => ({
    limit,
    remaining: limit === null ? null : Math.max(0, Math.floor(refill(bucket, limit, now.monotonicMs))),
  });
  const used = usedBy(workspace, now);
  const { callsPerDay, storedBytes } = limits.workspace;
  // A caller must know how much of a quota is left.
  const showsUse = (limit: number | null) => workspace.usage !== undefined && (withUsage || limit !== null);
  const resetsAt = now.epochMs + secondsToTomorrow(now.epochMs) * 1000;
  return {
    key: {
      requests_per_second: rate(limits.key.requestsPerSecond, key.requests),
      uploads_at_once: { limit: limits.key.uploadsAtOnce, used: key.uploads },
      downloads_at_once: { limit: limits.key.downloadsAtOnce, used: downloads.caller },
    },
    workspace: {
      requests_per_second: rate(limits.workspace.requestsPerSecond, workspace.requests),
      imports_per_second: rate(limits.workspace.importsPerSecond, workspace.imports),
      uploads_at_once: { limit: limits.workspace.uploadsAtOnce, used: workspace.uploads },
      downloads_at_once: { limit: limits.workspace.downloadsAtOnce, used: downloads.workspace },
      calls_per_day: {
        limit: callsPerDay,
        used: showsUse(callsPerDay) ? used.callsToday : null,
        resets_at: new Date(resetsAt - (resetsAt % 1000)).toISOString(),
      },
      stored_bytes: { limit: storedBytes, used: showsUse(storedBytes) ? used.bytes : null },
      invitation_mails_per_day: { limit: limits.workspace.invitationMailsPerDay },
    },
    interface: fixed,
  };
}
