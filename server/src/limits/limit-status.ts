import type { LimitName } from "@hearback/contract";
import type { Limits } from "../platform/config.ts";
import { dayOf, type Imported, secondsToTomorrow, type Usage } from "../workspaces/usage.ts";
import { refill, type TokenBucket } from "./token-bucket.ts";

/** Limiter state of a workspace in this process. */
export interface WorkspaceState {
  readonly requests: TokenBucket;
  readonly imports: TokenBucket;
  uploads: number;
  /** Last stored usage over all processes, and imports of this process not stored yet. */
  usage: Usage | undefined;
  uncounted: Imported;
}

/** Limiter state of a key or session in this process. */
export interface KeyState {
  readonly requests: TokenBucket;
  uploads: number;
}

/** The current state of one limit. */
export interface LimitStatus {
  readonly name: LimitName;
  readonly limit: number;
  readonly left: number;
  /** Seconds until it resets; null: when a request ends or data is deleted. */
  readonly resetsInSeconds: number | null;
}

/** Concurrent downloads of a key or user, and of the workspace. */
export interface Downloads {
  readonly caller: number;
  readonly workspace: number;
}

interface CurrentUse {
  readonly limits: Limits;
  readonly key: KeyState;
  readonly workspace: WorkspaceState;
  readonly downloads: Downloads;
}

export interface Now {
  /** Monotonic clock. */
  readonly monotonicMs: number;
  readonly epochMs: number;
}

export type Scope = "request" | "upload" | "download";

/** The status of every limit that applies to a request, an upload or a download. */
export function limitStatus({ limits, key, workspace, downloads }: CurrentUse, scope: Scope, now: Now): LimitStatus[] {
  const found: LimitStatus[] = [];
  const add = (name: LimitName, limit: number | null, left: number, resetsInSeconds: number | null) => {
    if (limit !== null) found.push({ name, limit, left: Math.max(0, left), resetsInSeconds });
  };
  const rate = (name: LimitName, limit: number | null, bucket: TokenBucket) =>
    add(name, limit, refill(bucket, limit, now.monotonicMs), 1);
  rate("key_requests", limits.key.requestsPerSecond, key.requests);
  rate("workspace_requests", limits.workspace.requestsPerSecond, workspace.requests);
  if (scope === "download") {
    const { key: ofKey, workspace: ofWorkspace } = limits;
    add("key_downloads", ofKey.downloadsAtOnce, (ofKey.downloadsAtOnce ?? 0) - downloads.caller, null);
    const left = (ofWorkspace.downloadsAtOnce ?? 0) - downloads.workspace;
    add("workspace_downloads", ofWorkspace.downloadsAtOnce, left, null);
  }
  if (scope !== "upload") return found;
  rate("workspace_imports", limits.workspace.importsPerSecond, workspace.imports);
  const { uploadsAtOnce, callsPerDay, storedBytes } = limits.workspace;
  add("key_uploads", limits.key.uploadsAtOnce, (limits.key.uploadsAtOnce ?? 0) - key.uploads, null);
  add("workspace_uploads", uploadsAtOnce, (uploadsAtOnce ?? 0) - workspace.uploads, null);
  const used = usedBy(workspace, now);
  // Uploads in progress may become calls.
  const callsLeft = (callsPerDay ?? 0) - used.callsToday - workspace.uploads;
  add("workspace_calls_per_day", callsPerDay, callsLeft, secondsToTomorrow(now.epochMs));
  add("workspace_stored_bytes", storedBytes, (storedBytes ?? 0) - used.bytes, null);
  return found;
}

/** Today's calls and stored bytes, as known to this process. */
export function usedBy({ usage, uncounted }: WorkspaceState, { epochMs }: Now) {
  const today = usage?.day.getTime() === dayOf(epochMs).getTime() ? usage.dayCalls : 0;
  // Stored usage can be negative for a moment when calls are erased before they are counted.
  return { callsToday: today + uncounted.calls, bytes: Math.max(0, usage?.bytes ?? 0) + uncounted.bytes };
}

/** Unit or window of each limit in the RateLimit-Policy header (draft-ietf-httpapi-ratelimit-headers). */
const policyParameters: Record<LimitName, string> = {
  address_requests: ";w=1",
  key_requests: ";w=1",
  workspace_requests: ";w=1",
  workspace_imports: ";w=1",
  key_uploads: ';qu="concurrent-requests"',
  workspace_uploads: ';qu="concurrent-requests"',
  key_downloads: ';qu="concurrent-requests"',
  workspace_downloads: ';qu="concurrent-requests"',
  workspace_calls_per_day: ";w=86400",
  workspace_stored_bytes: ';qu="content-bytes"',
  workspace_invitation_mails_per_day: ";w=86400",
  workspace_new_months: ";w=86400",
};

export const toPolicyHeader = (statuses: readonly LimitStatus[]) =>
  statuses.map(({ name, limit }) => `"${name}";q=${limit}${policyParameters[name]}`).join(", ");

export const toStateHeader = (statuses: readonly LimitStatus[]) =>
  statuses
    .map(({ name, left, resetsInSeconds }) => {
      const resets = resetsInSeconds === null ? "" : `;t=${resetsInSeconds}`;
      return `"${name}";r=${Math.floor(left)}${resets}`;
    })
    .join(", ");
