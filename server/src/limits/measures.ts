import type { LimitName } from "@hearback/contract";
import type { Limits } from "../platform/config.ts";
import { type Bucket, refill } from "./bucket.ts";
import { dayOf, type Imported, secondsToTomorrow, type Usage } from "./usage.ts";

/** What is known of a workspace in this process. */
export interface WorkspaceState {
  readonly requests: Bucket;
  readonly imports: Bucket;
  uploads: number;
  /** As it was last counted, over all processes; and what this one has imported since. */
  usage: Usage | undefined;
  uncounted: Imported;
}

/** The same of a key. */
export interface KeyState {
  readonly requests: Bucket;
  uploads: number;
}

/** One limit as it stands at this moment. */
export interface Measure {
  readonly name: LimitName;
  readonly limit: number;
  readonly left: number;
  /** When there will be more, in seconds; null: when something ends. */
  readonly resetsInSeconds: number | null;
}

interface Standing {
  readonly limits: Limits;
  readonly key: KeyState;
  readonly workspace: WorkspaceState;
}

export interface Now {
  /** Never runs backwards. */
  readonly steadyMs: number;
  readonly epochMs: number;
}

type Scope = "request" | "upload";

/** Every limit in force for a request, or for one that brings a recording. */
export function measure({ limits, key, workspace }: Standing, scope: Scope, now: Now): Measure[] {
  const found: Measure[] = [];
  const add = (name: LimitName, limit: number | null, left: number, resetsInSeconds: number | null) => {
    if (limit !== null) found.push({ name, limit, left: Math.max(0, left), resetsInSeconds });
  };
  const rate = (name: LimitName, limit: number | null, bucket: Bucket) =>
    add(name, limit, refill(bucket, limit, now.steadyMs), 1);
  rate("key_requests", limits.key.requestsPerSecond, key.requests);
  rate("workspace_requests", limits.workspace.requestsPerSecond, workspace.requests);
  if (scope === "request") return found;
  rate("workspace_imports", limits.workspace.importsPerSecond, workspace.imports);
  const { uploadsAtOnce, callsPerDay, storedBytes } = limits.workspace;
  add("key_uploads", limits.key.uploadsAtOnce, (limits.key.uploadsAtOnce ?? 0) - key.uploads, null);
  add("workspace_uploads", uploadsAtOnce, (uploadsAtOnce ?? 0) - workspace.uploads, null);
  const used = usedBy(workspace, now);
  // What is on its way may become a call.
  const callsLeft = (callsPerDay ?? 0) - used.callsToday - workspace.uploads;
  add("workspace_calls_per_day", callsPerDay, callsLeft, secondsToTomorrow(now.epochMs));
  add("workspace_stored_bytes", storedBytes, (storedBytes ?? 0) - used.bytes, null);
  return found;
}

/** Calls of today and bytes, as far as this process knows. */
export function usedBy({ usage, uncounted }: WorkspaceState, { epochMs }: Now) {
  const today = usage?.day.getTime() === dayOf(epochMs).getTime() ? usage.dayCalls : 0;
  return { callsToday: today + uncounted.calls, bytes: (usage?.bytes ?? 0) + uncounted.bytes };
}

/** How a limit is told in the header RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers): its unit or its window. */
const units: Record<LimitName, string> = {
  key_requests: ";w=1",
  workspace_requests: ";w=1",
  workspace_imports: ";w=1",
  key_uploads: ';qu="concurrent-requests"',
  workspace_uploads: ';qu="concurrent-requests"',
  workspace_calls_per_day: ";w=86400",
  workspace_stored_bytes: ';qu="content-bytes"',
};

export const toPolicyHeader = (measures: readonly Measure[]) =>
  measures.map(({ name, limit }) => `"${name}";q=${limit}${units[name]}`).join(", ");

export const toStateHeader = (measures: readonly Measure[]) =>
  measures
    .map(({ name, left, resetsInSeconds }) => {
      const resets = resetsInSeconds === null ? "" : `;t=${resetsInSeconds}`;
      return `"${name}";r=${Math.floor(left)}${resets}`;
    })
    .join(", ");
