import type { App } from "../platform/app.ts";
import { openSingleFlight } from "../platform/async/single-flight.ts";
import { type Caller, callerId } from "../platform/caller.ts";
import type { Limits } from "../platform/config.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { DownloadCounter } from "./download-counter.ts";
import { findLimits } from "./find-limits.ts";
import {
  type KeyState,
  limitStatus,
  type Now,
  type Scope,
  toPolicyHeader,
  type WorkspaceState,
} from "./limit-status.ts";
import { fullBucket } from "./token-bucket.ts";

/** After this long, limits are refreshed in the background while requests continue with the cached ones. */
const staleMs = 2_000;
/** After this long, limits are refreshed before the next request. */
const expiredMs = 10_000;
/** Idle callers are evicted once there are more than `maxCallers`. */
const idleMs = 60_000;
const maxCallers = 10_000;

/** Limits and state of a key or session in this process. */
export interface CallerState {
  readonly limits: Limits;
  readonly key: KeyState;
  readonly workspace: WorkspaceState;
  /** RateLimit-Policy header for each kind of request. */
  readonly policies: Record<Scope, string>;
  readonly readAt: number;
  usedAt: number;
}

/** Caches the limits of callers, which are stored in the database, and keeps their state. */
export interface LimitCache {
  /** Returns a promise if the limits have to be read first. */
  get(caller: Caller, now: Now): CallerState | Promise<CallerState>;
  /** Reads the limits from the database. */
  refresh(caller: Caller): Promise<CallerState>;
}

export function openLimitCache(app: App, downloads: DownloadCounter, clock: () => Now): LimitCache {
  const callers = new Map<string, CallerState>();
  const workspaces = new Map<string, WorkspaceState>();
  const reads = openSingleFlight<CallerState>();

  function workspaceOf(id: string): WorkspaceState {
    const existing = workspaces.get(id);
    if (existing) return existing;
    const uncounted = { calls: 0, bytes: 0 };
    const state = { requests: fullBucket(), imports: fullBucket(), uploads: 0, usage: undefined, uncounted };
    workspaces.set(id, state);
    return state;
  }

  async function read(caller: Caller): Promise<CallerState> {
    const { workspaceId } = caller;
    // Sessions cannot have their own limits and use the defaults for keys.
    const keyId = callerId(caller);
    const now = clock();
    const { limits, usage } = await inWorkspace(app, workspaceId, (tx) =>
      findLimits(tx, app.config.limits, { workspaceId, keyId }),
    );
    const workspace = workspaceOf(workspaceId);
    workspace.usage = usage;
    const key = callers.get(keyId)?.key ?? { requests: fullBucket(), uploads: 0 };
    const current = { limits, key, workspace };
    const policyOf = (scope: Scope) =>
      toPolicyHeader(limitStatus({ ...current, downloads: downloads.of(caller) }, scope, now));
    const policies = { request: policyOf("request"), upload: policyOf("upload"), download: policyOf("download") };
    const state = { ...current, policies, readAt: now.monotonicMs, usedAt: now.monotonicMs };
    callers.set(keyId, state);
    if (callers.size > maxCallers) evictIdle(now.monotonicMs);
    return state;
  }

  const refresh = (caller: Caller) => reads.run(callerId(caller), () => read(caller));

  function evictIdle(nowMs: number): void {
    for (const [id, { key, usedAt }] of callers) {
      if (key.uploads === 0 && nowMs - usedAt > idleMs) callers.delete(id);
    }
    const inUse = new Set([...callers.values()].map(({ workspace }) => workspace));
    for (const [id, state] of workspaces) if (!inUse.has(state)) workspaces.delete(id);
  }

  return {
    get(caller, now) {
      const state = callers.get(callerId(caller));
      const age = state ? now.monotonicMs - state.readAt : Number.POSITIVE_INFINITY;
      if (!state || age > expiredMs) return refresh(caller);
      // If the refresh fails, keep using the cached limits.
      if (age > staleMs) refresh(caller).catch(() => {});
      return state;
    },
    refresh,
  };
}
