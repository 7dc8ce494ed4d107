import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import type { Limits } from "../platform/config.ts";
import { openDownloadCounter } from "./download-counter.ts";
import { type CallerState, openLimitCache } from "./limit-cache.ts";
import {
  type Downloads,
  type KeyState,
  type LimitStatus,
  limitStatus,
  type Now,
  toStateHeader,
  type WorkspaceState,
} from "./limit-status.ts";
import { openRefusalLog } from "./refusal-log.ts";
import { openUsageCounter } from "./usage-counter.ts";

/** The kind of request. `uploadBytes` is 0 if the size is unknown. */
export type LimitedRequest = { readonly uploadBytes: number } | "download" | "request";

export interface Admission {
  /** Values of the RateLimit-Policy and RateLimit headers; empty: unlimited. */
  readonly policy: string;
  readonly state: string;
  /** The limit that was reached. If set, nothing was taken and `release` does nothing. */
  readonly refusedBy: LimitStatus | undefined;
  /** Ends an upload or download; `importedBytes` were added to the workspace. */
  release(importedBytes: number | undefined): void;
}

export interface CallerLimits {
  readonly limits: Limits;
  readonly key: KeyState;
  readonly workspace: WorkspaceState;
  readonly downloads: Downloads;
}

/** Enforces the limits of each key, session and workspace in this process. */
export interface RateLimiter {
  acquire(caller: Caller, kind: LimitedRequest): Admission | Promise<Admission>;
  /** The caller's limits and current use. */
  state(caller: Caller): Promise<CallerLimits & { readonly now: Now }>;
  close(): Promise<void>;
}

const systemClock = (): Now => ({ monotonicMs: performance.now(), epochMs: Date.now() });
const noop = () => {};

export function openRateLimiter(app: App, clock: () => Now = systemClock): RateLimiter {
  const downloads = openDownloadCounter();
  const cache = openLimitCache(app, downloads, clock);
  const usageCounter = openUsageCounter(app, clock);
  const refusals = openRefusalLog(app);

  function admit(caller: Caller, state: CallerState, kind: LimitedRequest, now: Now): Admission {
    const { limits, key, workspace, policies } = state;
    state.usedAt = now.monotonicMs;
    const upload = typeof kind === "object" ? kind : undefined;
    const scope = typeof kind === "object" ? "upload" : kind;
    const statuses = limitStatus({ limits, key, workspace, downloads: downloads.of(caller) }, scope, now);
    const needed = ({ name }: LimitStatus) =>
      name === "workspace_stored_bytes" && upload ? Math.max(1, upload.uploadBytes) : 1;
    const refusedBy = statuses.find((status) => status.left < needed(status));
    const headers = { policy: policies[scope], state: toStateHeader(statuses) };
    if (refusedBy) {
      refusals.count(caller.workspaceId, refusedBy.name);
      return { ...headers, refusedBy, release: noop };
    }
    key.requests.tokens -= 1;
    workspace.requests.tokens -= 1;
    if (kind === "request") return { ...headers, refusedBy, release: noop };
    if (kind === "download") return { ...headers, refusedBy, release: downloads.begin(caller) };
    workspace.imports.tokens -= 1;
    key.uploads += 1;
    workspace.uploads += 1;
    const release = (importedBytes: number | undefined) => {
      key.uploads -= 1;
      workspace.uploads -= 1;
      if (importedBytes !== undefined) usageCounter.add(caller.workspaceId, workspace, importedBytes);
    };
    return { ...headers, refusedBy, release };
  }

  return {
    acquire(caller, kind) {
      const now = clock();
      const state = cache.get(caller, now);
      return state instanceof Promise
        ? state.then((read) => admit(caller, read, kind, clock()))
        : admit(caller, state, kind, now);
    },
    async state(caller) {
      const { limits, key, workspace } = await cache.refresh(caller);
      return { limits, key, workspace, downloads: downloads.of(caller), now: clock() };
    },
    async close() {
      await Promise.all([refusals.close(), usageCounter.close()]);
    },
  };
}
