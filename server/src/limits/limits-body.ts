import type { LimitsBody } from "@hearback/contract";
import { type Bucket, refill } from "./bucket.ts";
import type { Standing } from "./gate.ts";
import { type Now, usedBy } from "./measures.ts";
import { secondsToTomorrow } from "./usage.ts";

export function toLimitsBody(
  { limits, key, workspace, now }: Standing & { readonly now: Now },
  fixed: LimitsBody["interface"],
): LimitsBody {
  const rate = (limit: number | null, bucket: Bucket) => ({
    limit,
    remaining: limit === null ? null : Math.max(0, Math.floor(refill(bucket, limit, now.steadyMs))),
  });
  const used = usedBy(workspace, now);
  const { callsPerDay, storedBytes } = limits.workspace;
  const counted = callsPerDay !== null || storedBytes !== null;
  const resetsAt = now.epochMs + secondsToTomorrow(now.epochMs) * 1000;
  return {
    key: {
      requests_per_second: rate(limits.key.requestsPerSecond, key.requests),
      uploads_at_once: { limit: limits.key.uploadsAtOnce, used: key.uploads },
    },
    workspace: {
      requests_per_second: rate(limits.workspace.requestsPerSecond, workspace.requests),
      imports_per_second: rate(limits.workspace.importsPerSecond, workspace.imports),
      uploads_at_once: { limit: limits.workspace.uploadsAtOnce, used: workspace.uploads },
      calls_per_day: {
        limit: callsPerDay,
        used: counted ? used.callsToday : null,
        resets_at: new Date(resetsAt - (resetsAt % 1000)).toISOString(),
      },
      stored_bytes: { limit: storedBytes, used: counted ? used.bytes : null },
    },
    interface: fixed,
  };
}
