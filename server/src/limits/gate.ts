import type { App } from "../platform/app.ts";
import { type Caller, callerId } from "../platform/caller.ts";
import type { Limits } from "../platform/config.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { fullBucket } from "./bucket.ts";
import { findLimits } from "./find-limits.ts";
import {
  type KeyState,
  type Measure,
  measure,
  type Now,
  toPolicyHeader,
  toStateHeader,
  type WorkspaceState,
} from "./measures.ts";
import { openMeter } from "./meter.ts";
import { recountUsage } from "./recount-usage.ts";
import { openRefusals } from "./refusals.ts";
import { dayOf, isCounted } from "./usage.ts";

/** Limits are read again after this long, while requests go on; after so long without any, before the next one. */
const staleMs = 2_000;
const tooOldMs = 10_000;
/** Whoever was not here for so long is forgotten when there are too many. */
const idleMs = 60_000;
const mostRemembered = 10_000;

/** A request at the gate. An upload says how large it is, if it knows. */
export type Asking = { readonly uploadBytes: number } | "request";

export interface Admission {
  /** What the headers RateLimit-Policy and RateLimit say; empty: no limit is in force. */
  readonly policy: string;
  readonly state: string;
  /** The limit that is reached. Nothing was taken then, and there is nothing to leave. */
  readonly refusedBy: Measure | undefined;
  /** An upload is over; so many bytes were added to the workspace. */
  leave(importedBytes: number | undefined): void;
}

export interface Standing {
  readonly limits: Limits;
  readonly key: KeyState;
  readonly workspace: WorkspaceState;
}

/** Holds each key, each session and each workspace to its limits, in this process. */
export interface Gate {
  enter(caller: Caller, asking: Asking): Admission | Promise<Admission>;
  /** How the caller stands now. */
  look(caller: Caller): Promise<Standing & { readonly now: Now }>;
  close(): Promise<void>;
}

interface Known extends Standing {
  limits: Limits;
  readAt: number;
  usedAt: number;
  /** How the limits read as headers, without and with those of uploads. */
  policies: { request: string; upload: string };
}

const systemClock = (): Now => ({ steadyMs: performance.now(), epochMs: Date.now() });
const nothing = () => {};

export function openGate(app: App, clock: () => Now = systemClock): Gate {
  const known = new Map<string, Known>();
  const workspaces = new Map<string, WorkspaceState>();
  const reading = new Map<string, Promise<Known>>();
  const meter = openMeter(app, clock);
  const refusals = openRefusals(app);

  function workspaceOf(id: string): WorkspaceState {
    const there = workspaces.get(id);
    if (there) return there;
    const uncounted = { calls: 0, bytes: 0 };
    const made = { requests: fullBucket(), imports: fullBucket(), uploads: 0, usage: undefined, uncounted };
    workspaces.set(id, made);
    return made;
  }

  async function read(caller: Caller): Promise<Known> {
    const { workspaceId } = caller;
    // Nothing can be set for a session: it has what a key has for which nothing is set.
    const keyId = callerId(caller);
    const now = clock();
    const { limits, usage } = await inWorkspace(app, workspaceId, async (tx) => {
      const found = await findLimits(tx, app.config.limits, { workspaceId, keyId });
      if (found.usage || !isCounted(found.limits)) return found;
      return { ...found, usage: await recountUsage(tx, workspaceId, dayOf(now.epochMs)) };
    });
    const workspace = workspaceOf(workspaceId);
    workspace.usage = usage;
    const there = known.get(keyId);
    const key = there?.key ?? { requests: fullBucket(), uploads: 0 };
    const standing = { limits, key, workspace };
    const policies = {
      request: toPolicyHeader(measure(standing, "request", now)),
      upload: toPolicyHeader(measure(standing, "upload", now)),
    };
    const made = { ...standing, policies, readAt: now.steadyMs, usedAt: now.steadyMs };
    known.set(keyId, made);
    if (known.size > mostRemembered) forgetIdle(now.steadyMs);
    return made;
  }

  /** One question for all who ask at once. */
  function readOnce(caller: Caller): Promise<Known> {
    const under = reading.get(callerId(caller));
    if (under) return under;
    const begun = read(caller).finally(() => reading.delete(callerId(caller)));
    reading.set(callerId(caller), begun);
    return begun;
  }

  function forgetIdle(steadyMs: number): void {
    for (const [id, { key, usedAt }] of known) {
      if (key.uploads === 0 && steadyMs - usedAt > idleMs) known.delete(id);
    }
    const inUse = new Set([...known.values()].map(({ workspace }) => workspace));
    for (const [id, state] of workspaces) if (!inUse.has(state)) workspaces.delete(id);
  }

  function admit(caller: Caller, standing: Known, asking: Asking, now: Now): Admission {
    const { key, workspace, policies } = standing;
    standing.usedAt = now.steadyMs;
    const scope = asking === "request" ? "request" : "upload";
    const measures = measure(standing, scope, now);
    const needed = ({ name }: Measure) =>
      name === "workspace_stored_bytes" && asking !== "request" ? Math.max(1, asking.uploadBytes) : 1;
    const refusedBy = measures.find((one) => one.left < needed(one));
    const headers = { policy: policies[scope], state: toStateHeader(measures) };
    if (refusedBy) {
      refusals.note(caller.workspaceId, refusedBy.name);
      return { ...headers, refusedBy, leave: nothing };
    }
    key.requests.level -= 1;
    workspace.requests.level -= 1;
    if (asking === "request") return { ...headers, refusedBy, leave: nothing };
    workspace.imports.level -= 1;
    key.uploads += 1;
    workspace.uploads += 1;
    const leave = (importedBytes: number | undefined) => {
      key.uploads -= 1;
      workspace.uploads -= 1;
      if (importedBytes === undefined || !isCounted(standing.limits)) return;
      meter.add(caller.workspaceId, workspace, importedBytes);
    };
    return { ...headers, refusedBy, leave };
  }

  return {
    enter(caller, asking) {
      const now = clock();
      const standing = known.get(callerId(caller));
      const age = standing ? now.steadyMs - standing.readAt : Number.POSITIVE_INFINITY;
      if (!standing || age > tooOldMs) return readOnce(caller).then((read) => admit(caller, read, asking, clock()));
      // Should it fail, what was read before holds for the moment.
      if (age > staleMs) readOnce(caller).catch(nothing);
      return admit(caller, standing, asking, now);
    },
    async look(caller) {
      const { limits, key, workspace } = await readOnce(caller);
      return { limits, key, workspace, now: clock() };
    },
    async close() {
      refusals.close();
      await meter.close();
    },
  };
}
