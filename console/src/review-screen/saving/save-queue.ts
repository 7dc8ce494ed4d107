import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer, Answers } from "@hearback/scoring/answers";
import { canonicalJson } from "@hearback/scoring/canonical-json";

/** The field of the comment on the whole review. Question ids never start with "#". */
export const reviewComment = "#comment";

/** An answer, empty if there is none; or the comment on the whole review. */
export type FieldValue = Answer | string;

/** A draft as the server has it. */
export interface ServerDraft {
  readonly number: number;
  readonly answers: Answers;
  readonly comment: string;
}

/** A change that the server does not have yet. `base` is the server's value when the change was made. */
export interface UnsentChange {
  readonly field: string;
  readonly base: FieldValue;
  readonly value: FieldValue;
  /** Values sent without a response since then. The server may have any of them. */
  readonly sent?: readonly FieldValue[] | undefined;
}

/** The same field was changed here and elsewhere. The reviewer chooses. */
export interface Conflict extends UnsentChange {
  readonly theirs: FieldValue;
}

/** retry: the service is unreachable or busy. stopped: the draft cannot be changed any more. */
type Failure =
  | { readonly kind: "retry"; readonly afterMs?: number | undefined }
  | { readonly kind: "stopped"; readonly error: unknown };
export type LoadResult = { readonly kind: "loaded"; readonly draft: ServerDraft } | Failure;
export type SaveResult =
  | { readonly kind: "saved"; readonly number: number }
  /** If-Match failed. */
  | { readonly kind: "changed"; readonly draft: ServerDraft }
  /** The value is invalid. Other changes are still possible. */
  | { readonly kind: "refused" }
  | Failure;

export interface DraftTransport {
  /** Starts the review, or loads the draft that exists. */
  load(): Promise<LoadResult>;
  save(field: string, value: FieldValue, ifMatch: number): Promise<SaveResult>;
}

export interface QueueState {
  /** The server's answers with the unsent changes, as shown in the form. */
  readonly answers: Answers;
  readonly comment: string;
  /** Absent: the review is not started. */
  readonly number: number | undefined;
  /** refused: an invalid value is shown and not saved. */
  readonly status: "saved" | "saving" | "offline" | "refused" | "stopped";
  readonly conflicts: readonly Conflict[];
  /** Why it stopped. */
  readonly error?: unknown;
}

interface Pending extends UnsentChange {
  /** Not sent before this time: the value settles first. */
  readonly dueAt: number;
}

interface QueueOptions {
  /** Absent: the review is started with the first change. */
  readonly draft?: ServerDraft | undefined;
  /** Changes that an earlier visit could not send. */
  readonly unsent?: readonly UnsentChange[];
  readonly transport: DraftTransport;
  readonly onChange: (state: QueueState, unsent: readonly UnsentChange[]) => void;
}

const firstRetryMs = 1000;
const maxRetryMs = 30_000;
const maxSent = 20;
const notStarted: ServerDraft = { number: 0, answers: {}, comment: "" };

const isSame = (a: FieldValue, b: FieldValue) => canonicalJson(a) === canonicalJson(b);
const valueIn = ({ answers, comment }: ServerDraft, field: string): FieldValue =>
  field === reviewComment ? comment : (answerTo(answers, field) ?? {});

function withValue(draft: ServerDraft, field: string, value: FieldValue): ServerDraft {
  if (typeof value === "string") return { ...draft, comment: value };
  const { [field]: _, ...answers } = draft.answers;
  return { ...draft, answers: Object.keys(value).length > 0 ? { ...draft.answers, [field]: value } : answers };
}

function isShallowEqual(a: Answers, b: Answers): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/**
 * Saves the changes of a draft one at a time, each with the number from the previous response. A field that changes again
 * while it waits is sent once. Failures are retried with exponential backoff. A change made elsewhere is merged: only a
 * field that was changed on both sides is a conflict.
 */
export function openSaveQueue({ draft, unsent = [], transport, onChange }: QueueOptions) {
  let server = draft;
  const pending = new Map<string, Pending>();
  const conflicts = new Map<string, Conflict>();
  /** Invalid values stay on the screen until they change. */
  const refused = new Map<string, UnsentChange>();
  let isBusy = false;
  let isClosed = false;
  let isEnded = false;
  let failures = 0;
  let stopped: { readonly error: unknown } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: ((isSaved: boolean) => void)[] = [];
  let state: QueueState = { answers: {}, comment: "", number: undefined, status: "saved", conflicts: [] };

  function toState(): QueueState {
    let shown = server ?? notStarted;
    for (const { field, value } of unsentChanges()) shown = withValue(shown, field, value);
    return {
      // The same object as long as no answer changes, so that the form is not rendered again.
      answers: isShallowEqual(shown.answers, state.answers) ? state.answers : shown.answers,
      comment: shown.comment,
      number: server?.number,
      status: currentStatus(),
      conflicts: [...conflicts.values()],
      ...(stopped && { error: stopped.error }),
    };
  }

  function currentStatus(): QueueState["status"] {
    if (stopped) return "stopped";
    if (pending.size > 0 || isBusy) return failures > 0 ? "offline" : "saving";
    return refused.size > 0 ? "refused" : "saved";
  }

  function unsentChanges(): UnsentChange[] {
    const all = [...refused.values(), ...conflicts.values(), ...pending.values()];
    return all.map(({ field, base, value, sent }) => ({ field, base, value, sent }));
  }

  function notify() {
    state = toState();
    if (!isEnded) onChange(state, unsentChanges());
    const isDone = pending.size === 0 && !isBusy;
    if (isDone || failures > 0 || stopped) {
      const waiters = waiting;
      waiting = [];
      for (const resolve of waiters) resolve(isDone && !stopped && conflicts.size === 0 && refused.size === 0);
    }
  }

  /** Sorts unsent changes by what the server has now. */
  function merge(current: ServerDraft) {
    server = current;
    for (const change of [...pending.values(), ...conflicts.values()]) {
      const { field, base, value, sent = [] } = change;
      const theirs = valueIn(current, field);
      const wasConflict = conflicts.delete(field);
      const waiting = pending.get(field);
      if (isSame(theirs, value)) pending.delete(field);
      // Saved from here; only the response was lost.
      else if (waiting && !isSame(theirs, base) && sent.some((each) => isSame(theirs, each)))
        pending.set(field, { ...waiting, base: theirs, sent: [] });
      else if (wasConflict || !isSame(theirs, base)) {
        pending.delete(field);
        conflicts.set(field, { field, base, value, theirs });
      }
    }
  }

  function saved({ field, value }: Pending, number: number) {
    const current = server ?? notStarted;
    // Any other number: the draft was changed elsewhere as well. The old number makes the next change fail with the
    // current draft, which is then merged.
    const isExpected = number <= current.number + 1;
    server = { ...withValue(current, field, value), number: isExpected ? number : current.number };
    const latest = pending.get(field);
    if (!latest) return;
    if (isSame(latest.value, value)) pending.delete(field);
    else pending.set(field, { ...latest, base: value, sent: [] });
  }

  function failed(result: Failure) {
    if (result.kind === "stopped") {
      stopped = { error: result.error };
      return;
    }
    const backoff = Math.min(maxRetryMs, firstRetryMs * 2 ** failures);
    failures += 1;
    if (!isClosed) timer = setTimeout(resume, Math.max(backoff, result.afterMs ?? 0));
  }

  function resume() {
    clearTimeout(timer);
    timer = undefined;
    void pump();
  }

  async function sendNext(change: Pending) {
    if (server === undefined) {
      const result = await transport.load();
      if (result.kind !== "loaded") return failed(result);
      failures = 0;
      return merge(result.draft);
    }
    const result = await transport.save(change.field, change.value, server.number);
    if (result.kind === "retry" || result.kind === "stopped") return failed(result);
    failures = 0;
    if (result.kind === "saved") saved(change, result.number);
    else if (result.kind === "changed") merge(result.draft);
    else if (pending.get(change.field)?.value === change.value) {
      pending.delete(change.field);
      refused.set(change.field, change);
    }
  }

  function noteSent(change: Pending) {
    const { field, value, sent = [] } = change;
    if (!sent.some((each) => isSame(each, value)))
      pending.set(field, { ...change, sent: [...sent, value].slice(-maxSent) });
  }

  async function pump() {
    if (isBusy || stopped || timer !== undefined) return;
    const [next] = [...pending.values()].sort((a, b) => a.dueAt - b.dueAt);
    if (!next) return notify();
    const waitMs = next.dueAt - Date.now();
    if (waitMs > 0) {
      timer = setTimeout(resume, waitMs);
      return;
    }
    isBusy = true;
    if (server) noteSent(next);
    notify();
    await sendNext(next);
    isBusy = false;
    notify();
    await pump();
  }

  for (const change of unsent) pending.set(change.field, { ...change, dueAt: 0 });
  if (server) merge(server);
  state = toState();
  void pump();

  return {
    state: () => state,
    unsentChanges,
    /** Shows the value at once and saves it after it has not changed for `settleMs`. */
    change(field: string, value: FieldValue, { settleMs = 0 } = {}) {
      const conflict = conflicts.get(field);
      if (conflict) {
        conflicts.set(field, { ...conflict, value });
        return notify();
      }
      const before = pending.get(field) ?? refused.get(field);
      const base = before?.base ?? valueIn(server ?? notStarted, field);
      const sent = before?.sent ?? [];
      refused.delete(field);
      pending.delete(field);
      if (!isSame(value, base) || sent.length > 0)
        pending.set(field, { field, base, value, sent, dueAt: Date.now() + settleMs });
      notify();
      // A waiting debounce is replaced; a backoff is not.
      if (failures === 0) resume();
    },
    resolve(field: string, keep: "mine" | "theirs") {
      const conflict = conflicts.get(field);
      if (!conflict) return;
      conflicts.delete(field);
      const { value, theirs } = conflict;
      if (keep === "mine") pending.set(field, { field, value, base: theirs, dueAt: Date.now() });
      notify();
      void pump();
    },
    /** Takes over a draft that the server returned elsewhere, such as when submitting failed. */
    merge(current: ServerDraft) {
      merge(current);
      notify();
      void pump();
    },
    /** Tries again now, for example because the network is back. */
    retry() {
      if (failures > 0) resume();
    },
    /** Sends everything now. false: something could not be saved. */
    flush(): Promise<boolean> {
      if (stopped) return Promise.resolve(false);
      for (const [field, change] of pending) pending.set(field, { ...change, dueAt: 0 });
      const result = new Promise<boolean>((resolve) => waiting.push(resolve));
      failures = 0;
      resume();
      return result;
    },
    /** Drops what was not sent. For a draft that was submitted or discarded. */
    end() {
      isClosed = true;
      isEnded = true;
      clearTimeout(timer);
      pending.clear();
    },
    /** Sends what is left, without retries. */
    close() {
      isClosed = true;
      for (const [field, change] of pending) pending.set(field, { ...change, dueAt: 0 });
      if (failures > 0) clearTimeout(timer);
      else resume();
    },
  };
}
