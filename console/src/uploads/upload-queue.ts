import type { BroughtFile } from "./dropped-files.ts";
import { mostFiles } from "./dropped-files.ts";
import type { FirstLook } from "./look-at-file.ts";
import { type Known, makeKnown, readName } from "./read-name.ts";
import { type Choices, type Given, type Item, type Knowing, type Settled, settleRow } from "./settle-row.ts";

export type RowState =
  | { readonly kind: "listed" }
  | { readonly kind: "queued" }
  | { readonly kind: "sending" }
  | { readonly kind: "stopped" }
  | { readonly kind: "done"; readonly callId: string; readonly outcome: "imported" | "duplicate" | "erased" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

export interface Row {
  readonly item: Item;
  readonly state: RowState;
}

/** All there is to show. A new one whenever anything changes. */
export interface Uploads {
  readonly rows: readonly Row[];
  readonly knowing: Knowing;
  readonly running: boolean;
  /** Why it stopped by itself: no file is to blame. */
  readonly halted: Failure | undefined;
  /** Bytes that are on their way, by row. */
  readonly sent: ReadonlyMap<number, number>;
  /** How long the rest will take, once that can be said. */
  readonly leftMs: number | undefined;
  /** Files that were not imported yet when somebody else signed in. */
  readonly leftBehind: number;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** It would be the same for every file: better to stop than to fail with hundreds. */
  readonly concernsAll: boolean;
}

export interface Sending {
  readonly file: File;
  /** Whose it is: it is sent as this person or not at all. */
  readonly owner: string | undefined;
  readonly settled: Settled;
  readonly choices: Choices;
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

export interface QueueParts {
  /** Imports one call; fails with what `toFailure` understands. */
  readonly send: (sending: Sending) => Promise<Extract<RowState, { kind: "done" }>>;
  readonly toFailure: (error: unknown) => Failure;
  readonly look: (file: File) => Promise<FirstLook>;
  /** Uploads are under way, or not any more. */
  readonly onBusy: (busy: boolean) => void;
}

export interface Added {
  readonly added: number;
  /** Took the place of one that could not be imported. */
  readonly replaced: number;
  /** Were in the list already. */
  readonly known: number;
  /** Were too many. */
  readonly left: number;
}

const atOnce = 4;
const tellEveryMs = 150;
/** Before that a guess of how long it takes would jump about. */
const guessAfterMs = 2_000;

/** Whether a row can be imported as it is. */
export const isComplete = ({ item }: Row, knowing: Knowing) =>
  item.look !== undefined && !item.look.fault && settleRow(item, knowing).missing.length === 0;

export function openUploadQueue({ send, toFailure, look, onBusy }: QueueParts) {
  let uploads = nothingYet("UTC");
  let owner: string | undefined;
  let lastId = 0;
  let shown = uploads;
  let telling: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const underWay = new Map<number, AbortController>();
  const sent = new Map<number, number>();
  const run = { sinceMs: 0, bytes: 0 };

  function tell(): void {
    clearTimeout(telling);
    telling = undefined;
    shown = { ...uploads, sent: new Map(sent), leftMs: leftMs() };
    onBusy(underWay.size > 0 || (uploads.running && uploads.rows.some(({ state }) => state.kind === "queued")));
    for (const listener of listeners) listener();
  }

  function change(changes: Partial<Uploads>): void {
    uploads = { ...uploads, ...changes };
    tell();
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
    if (underWay.size === 0 || spentMs < guessAfterMs || moved === 0) return undefined;
    const waiting = uploads.rows.filter(({ state }) => state.kind === "queued" || state.kind === "sending");
    const bytes = sum(waiting.map(({ item }) => item.file.size)) - sum(sent.values());
    return (Math.max(0, bytes) / moved) * spentMs;
  }

  function fill(): void {
    while (uploads.running && underWay.size < atOnce) {
      const next = uploads.rows.find(({ state }) => state.kind === "queued");
      if (!next) break;
      if (isComplete(next, uploads.knowing)) void sendRow(next.item);
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
      // A form is a little larger than its file.
      sent.set(item.id, Math.min(bytes, item.file.size));
      telling ??= setTimeout(tell, tellEveryMs);
    };
    const { choices } = uploads.knowing;
    const settled = settleRow(item, uploads.knowing);
    let state: RowState;
    let halted: Failure | undefined;
    try {
      state = await send({ file: item.file, owner, settled, choices, signal: stop.signal, onProgress });
    } catch (error) {
      if (stop.signal.aborted) return;
      const failure = toFailure(error);
      if (failure.concernsAll) halted = failure;
      state = halted ? { kind: "stopped" } : { kind: "failed", ...failure };
    }
    // It was stopped too late, and is being sent again.
    if (stop.signal.aborted && underWay.has(item.id)) return;
    underWay.delete(item.id);
    sent.delete(item.id);
    if (!halted) run.bytes += item.file.size;
    setState(item.id, state);
    if (halted) hold(halted);
    fill();
  }

  /** Sends no more. What was going to be sent waits until somebody wants it. */
  function hold(halted?: Failure): void {
    uploads = { ...uploads, running: false, halted };
    changeRows(
      ({ item, state }) => state.kind === "queued" || (state.kind === "sending" && !underWay.has(item.id)),
      ({ item }) => ({ item, state: { kind: "stopped" } }),
    );
  }

  async function lookAt(ids: readonly number[]): Promise<void> {
    // A folder's worth at a time: what is shown need not change with every file.
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
    /** Whose files these are: another person who signs in begins with none. */
    belongTo(userId: string): void {
      if (owner !== undefined && owner !== userId) {
        const leftBehind = uploads.rows.filter(({ state }) => state.kind !== "done").length;
        stop();
        change({ ...nothingYet(uploads.knowing.choices.zone), leftBehind });
      }
      owner = userId;
    },
    know: (known: Known) => change({ knowing: { ...uploads.knowing, known } }),
    choose: (choices: Partial<Choices>) =>
      change({ knowing: { ...uploads.knowing, choices: { ...uploads.knowing.choices, ...choices } } }),
    add(files: readonly BroughtFile[]): Added {
      const plan = planAddition(uploads.rows, files, () => ++lastId);
      change({ rows: plan.rows, leftBehind: 0 });
      void lookAt(plan.fresh);
      return plan.counts;
    },
    /** Says something about some of the files; a member that is undefined is taken back. */
    give(ids: ReadonlySet<number>, given: { readonly [Name in keyof Given]: Given[Name] | undefined }): void {
      changeRows(
        ({ item, state }) => ids.has(item.id) && state.kind !== "done" && state.kind !== "sending",
        ({ item, state }) => ({ state, item: { ...item, given: merged(item.given, given) } }),
      );
    },
    remove(which: (row: Row) => boolean): void {
      change({ rows: uploads.rows.filter((row) => row.state.kind === "sending" || !which(row)) });
    },
    /** Imports all that is complete and was not tried yet. */
    start: () => start((row) => row.state.kind === "listed" && isComplete(row, uploads.knowing)),
    /** Imports some of those that failed, and no others. */
    retry: (which: (row: Row) => boolean) =>
      start((row) => row.state.kind === "failed" && which(row) && isComplete(row, uploads.knowing)),
    /** Imports what was stopped. */
    goOn: () => start(({ state }) => state.kind === "stopped"),
    stop,
  };
}

const nothingYet = (zone: string): Uploads => ({
  ...{ rows: [], running: false, halted: undefined, sent: new Map(), leftMs: undefined, leftBehind: 0 },
  knowing: {
    known: makeKnown([], []),
    choices: { zone, agentEmail: undefined, campaignId: undefined, fileTime: false, metadata: [] },
  },
});

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0);

const merged = (before: Given, changes: object): Given =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined));

interface Addition {
  readonly rows: readonly Row[];
  /** The ids of rows whose files nobody has looked at. */
  readonly fresh: readonly number[];
  readonly counts: Added;
}

const isRefused = (row: Row | undefined) => row?.item.look?.fault !== undefined || row?.state.kind === "failed";

/** A mended file takes the place of the one that was refused; one that is there already is not added again. */
function planAddition(before: readonly Row[], files: readonly BroughtFile[], newId: () => number): Addition {
  const rows = [...before];
  const places = new Map<string, number[]>();
  const remember = (path: string, place: number) => places.set(path, [...(places.get(path) ?? []), place]);
  for (const [place, row] of before.entries()) {
    const { path, file } = row.item;
    remember(path, place);
    // A file that was in a dropped folder is often chosen alone once it is mended.
    if (path !== file.name && isRefused(row)) remember(file.name, place);
  }
  const counts = { added: 0, replaced: 0, known: 0, left: 0 };
  const fresh: number[] = [];
  for (const { file, path } of files) {
    const there = places.get(path) ?? [];
    const refused = there.find((place) => isRefused(rows[place]));
    const old = refused === undefined ? undefined : rows[refused];
    if (there.some((place) => isSame(rows[place]?.item.file, file))) counts.known += 1;
    else if (old && refused !== undefined) {
      const { look: _, ...item } = old.item;
      rows[refused] = { item: { ...item, file }, state: { kind: "listed" } };
      fresh.push(item.id);
      counts.replaced += 1;
    } else if (rows.length >= mostFiles) counts.left += 1;
    else {
      const item = { id: newId(), file, path, parts: readName(path), given: {} };
      remember(path, rows.push({ item, state: { kind: "listed" } }) - 1);
      fresh.push(item.id);
      counts.added += 1;
    }
  }
  return { rows, fresh, counts };
}

const isSame = (a: File | undefined, b: File) => a?.size === b.size && a.lastModified === b.lastModified;
