import type { AddedFile } from "../dropped-files.ts";
import type { FileInspection } from "../inspect-file.ts";
import { type Directory, makeDirectory } from "../names/parse-file-name.ts";
import { type Added, planAddition } from "./plan-addition.ts";
import {
  type Defaults,
  type Item,
  type Overrides,
  type ResolveContext,
  type ResolvedRow,
  resolveRow,
} from "./resolve-row.ts";
import { isComplete, type Row, type RowState } from "./rows.ts";

/** Immutable snapshot of the queue. */
export interface Uploads {
  readonly rows: readonly Row[];
  readonly context: ResolveContext;
  readonly running: boolean;
  /** Error that stopped the queue. It affects all files. */
  readonly halted: Failure | undefined;
  /** Bytes sent of current uploads, by row ID. */
  readonly sent: ReadonlyMap<number, number>;
  /** Estimated time left, once known. */
  readonly leftMs: number | undefined;
  /** Files that were dropped when another user signed in. */
  readonly discarded: number;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Affects every file, so the queue stops instead of failing all of them. */
  readonly affectsAll: boolean;
}

export interface Sending {
  readonly file: File;
  /** The upload is sent only as this user. */
  readonly owner: string | undefined;
  readonly resolved: ResolvedRow;
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

export interface QueueParts {
  /** Imports one call. Rejects with an error for `toFailure`. */
  readonly send: (sending: Sending) => Promise<Extract<RowState, { kind: "done" }>>;
  readonly toFailure: (error: unknown) => Failure;
  readonly look: (file: File) => Promise<FileInspection>;
  /** Called when uploads start or finish. */
  readonly onBusy: (busy: boolean) => void;
}

const concurrency = 4;
const notifyEveryMs = 150;
/** Earlier estimates are too unstable. */
const estimateAfterMs = 2_000;

export function openUploadQueue({ send, toFailure, look, onBusy }: QueueParts) {
  let uploads = emptyUploads("UTC");
  let owner: string | undefined;
  let lastId = 0;
  let shown = uploads;
  let notifyTimer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const underWay = new Map<number, AbortController>();
  const sent = new Map<number, number>();
  const run = { sinceMs: 0, bytes: 0 };

  function notify(): void {
    clearTimeout(notifyTimer);
    notifyTimer = undefined;
    shown = { ...uploads, sent: new Map(sent), leftMs: leftMs() };
    onBusy(underWay.size > 0 || (uploads.running && uploads.rows.some(({ state }) => state.kind === "queued")));
    for (const listener of listeners) listener();
  }

  function change(changes: Partial<Uploads>): void {
    uploads = { ...uploads, ...changes };
    notify();
  }

  const changeRows = (which: (row: Row) => boolean, to: (row: Row) => Row) =>
    change({ rows: uploads.rows.map((row) => (which(row) ? to(row) : row)) });
  const setState = (id: number, state: RowState) =>
    changeRows(
      ({ item }) => item.id === id,
      ({ item }) => ({ item, state }),
    );

  function leftMs(): number | undefined {
    const spentMs = performance.now() - run.sinceMs;
    const moved = run.bytes + sum(sent.values());
    if (underWay.size === 0 || spentMs < estimateAfterMs || moved === 0) return undefined;
    const waiting = uploads.rows.filter(({ state }) => state.kind === "queued" || state.kind === "sending");
    const bytes = sum(waiting.map(({ item }) => item.file.size)) - sum(sent.values());
    return (Math.max(0, bytes) / moved) * spentMs;
  }

  function fill(): void {
    while (uploads.running && underWay.size < concurrency) {
      const next = uploads.rows.find(({ state }) => state.kind === "queued");
      if (!next) break;
      if (isComplete(next, uploads.context)) void sendRow(next.item);
      else setState(next.item.id, { kind: "listed" });
    }
    const isOver = underWay.size === 0 && !uploads.rows.some(({ state }) => state.kind === "queued");
    if (uploads.running && isOver) change({ running: false });
  }

  async function sendRow(item: Item): Promise<void> {
    const stop = new AbortController();
    underWay.set(item.id, stop);
    setState(item.id, { kind: "sending" });
    const onProgress = (bytes: number) => {
      if (stop.signal.aborted) return;
      // The request body is slightly larger than the file.
      sent.set(item.id, Math.min(bytes, item.file.size));
      notifyTimer ??= setTimeout(notify, notifyEveryMs);
    };
    const resolved = resolveRow(item, uploads.context);
    let state: RowState;
    let halted: Failure | undefined;
    try {
      state = await send({ file: item.file, owner, resolved, signal: stop.signal, onProgress });
    } catch (error) {
      if (stop.signal.aborted) return;
      const failure = toFailure(error);
      if (failure.affectsAll) halted = failure;
      state = halted ? { kind: "stopped" } : { kind: "failed", ...failure };
    }
    // Aborted too late, and already being sent again.
    if (stop.signal.aborted && underWay.has(item.id)) return;
    underWay.delete(item.id);
    sent.delete(item.id);
    if (!halted) run.bytes += item.file.size;
    setState(item.id, state);
    if (halted) hold(halted);
    fill();
  }

  /** Stops the queue. Queued rows wait until the user resumes. */
  function hold(halted?: Failure): void {
    uploads = { ...uploads, running: false, halted };
    changeRows(
      ({ item, state }) => state.kind === "queued" || (state.kind === "sending" && !underWay.has(item.id)),
      ({ item }) => ({ item, state: { kind: "stopped" } }),
    );
  }

  async function inspectFiles(ids: readonly number[]): Promise<void> {
    // Batches limit the number of updates.
    for (let from = 0; from < ids.length; from += 50) {
      const some = new Set(ids.slice(from, from + 50));
      const items = uploads.rows.map(({ item }) => item).filter(({ id }) => some.has(id));
      const looks = new Map(await Promise.all(items.map(async (item) => [item.file, await look(item.file)] as const)));
      changeRows(
        ({ item }) => looks.has(item.file),
        (row) => {
          const seen = looks.get(row.item.file);
          return { ...row, item: { ...row.item, ...(seen && { look: seen }) } };
        },
      );
    }
  }

  function start(which: (row: Row) => boolean): void {
    if (underWay.size === 0) Object.assign(run, { sinceMs: performance.now(), bytes: 0 });
    uploads = { ...uploads, running: true, halted: undefined };
    changeRows(which, ({ item }) => ({ item, state: { kind: "queued" } }));
    fill();
  }

  function stop(): void {
    for (const one of underWay.values()) one.abort();
    underWay.clear();
    sent.clear();
    hold();
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look: () => shown,
    /** Sets the owner. Another owner starts with an empty list. */
    setOwner(userId: string): void {
      if (owner !== undefined && owner !== userId) {
        const discarded = uploads.rows.filter(({ state }) => state.kind !== "done").length;
        stop();
        change({ ...emptyUploads(uploads.context.defaults.zone), discarded });
      }
      owner = userId;
    },
    /** Sets what names are matched against. The only campaign becomes the default. */
    setDirectory(known: Directory): void {
      const { defaults } = uploads.context;
      const [only, another] = known.campaigns;
      const campaignId = defaults.campaignId ?? (another ? undefined : only?.id);
      change({ context: { known, defaults: { ...defaults, campaignId } } });
    },
    setDefaults: (defaults: Partial<Defaults>) =>
      change({ context: { ...uploads.context, defaults: { ...uploads.context.defaults, ...defaults } } }),
    add(files: readonly AddedFile[]): Added {
      const plan = planAddition(uploads.rows, files, () => ++lastId);
      change({ rows: plan.rows, discarded: 0 });
      void inspectFiles(plan.fresh);
      return plan.counts;
    },
    /** Sets values for some files. undefined clears a value. */
    setOverrides(
      ids: ReadonlySet<number>,
      overrides: { readonly [Name in keyof Overrides]: Overrides[Name] | undefined },
    ): void {
      changeRows(
        ({ item, state }) => ids.has(item.id) && state.kind !== "done" && state.kind !== "sending",
        ({ item, state }) => ({ state, item: { ...item, overrides: merged(item.overrides, overrides) } }),
      );
    },
    /** Replaces a file that cannot be imported, keeping its details. */
    replaceFile(id: number, file: File): void {
      changeRows(
        ({ item, state }) => item.id === id && state.kind !== "done" && state.kind !== "sending",
        ({ item: { look: _, ...item } }) => ({ item: { ...item, file }, state: { kind: "listed" } }),
      );
      void inspectFiles([id]);
    },
    remove(which: (row: Row) => boolean): void {
      change({ rows: uploads.rows.filter((row) => row.state.kind === "sending" || !which(row)) });
    },
    /** Imports all complete files that were not tried yet. */
    start: () => start((row) => row.state.kind === "listed" && isComplete(row, uploads.context)),
    /** Retries failed files that match. */
    retry: (which: (row: Row) => boolean) =>
      start((row) => row.state.kind === "failed" && which(row) && isComplete(row, uploads.context)),
    /** Resumes stopped files. */
    resume: () => start(({ state }) => state.kind === "stopped"),
    stop,
  };
}

const emptyUploads = (zone: string): Uploads => ({
  rows: [],
  running: false,
  halted: undefined,
  sent: new Map(),
  leftMs: undefined,
  discarded: 0,
  context: {
    known: makeDirectory([], []),
    defaults: { zone, agentEmail: undefined, campaignId: undefined, fileTime: false, metadata: [] },
  },
});

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0);

const merged = (before: Overrides, changes: object): Overrides =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined));
