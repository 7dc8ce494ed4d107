import { userKey, userKeys } from "../../access/user-storage.ts";
import { type FieldValue, reviewComment, type UnsentChange } from "./save-queue.ts";

/** Reviews with unsent changes that are kept at most. The oldest is dropped. */
const maxReviews = 30;
/** They are about a customer's call. Older ones are dropped. */
const maxAgeMs = 14 * 24 * 3600 * 1000;
/** Characters per review, more than a form with every comment at its limit needs. */
const maxCharacters = 1_500_000;

interface Stored {
  /** Last change, in milliseconds since 1970. */
  readonly at: number;
  readonly changes: readonly (UnsentChange & { readonly tab: string })[];
}

interface Place {
  readonly userId: string;
  readonly callId: string;
  readonly scorecardId: string;
  /** Answers for a session must not become those of another review of the same call. */
  readonly calibrationId?: string | undefined;
}

const name = "unsent.";
const keyOf = ({ userId, callId, scorecardId, calibrationId }: Place) =>
  userKey(userId, `${name}${[callId, scorecardId, calibrationId].filter(Boolean).join(".")}`);

/** Unsent changes of a draft in localStorage. Two tabs share the entry; each one replaces its own changes only. */
export function openUnsentChanges(place: Place) {
  const key = keyOf(place);
  dropExpired(place.userId);
  const tab = crypto.randomUUID();
  return {
    /** Changes of earlier visits. They belong to this tab from now on. */
    take(): UnsentChange[] {
      const changes = read(key)?.changes ?? [];
      if (changes.length > 0) write(key, { at: Date.now(), changes: changes.map((each) => ({ ...each, tab })) });
      return changes.map(({ field, base, value, sent }) => ({ field, base, value, sent }));
    },
    /** false: the browser does not store them. */
    replace(changes: readonly UnsentChange[]): boolean {
      const others = read(key)?.changes.filter((each) => each.tab !== tab) ?? [];
      const all = [...others, ...changes.map((each) => ({ ...each, tab }))];
      if (all.length === 0) {
        remove(key);
        return true;
      }
      dropOldest(place.userId, key);
      return write(key, { at: Date.now(), changes: all });
    },
    /** Removes them, after the draft was submitted or discarded. */
    clear: () => remove(key),
  };
}

function read(key: string): Stored | undefined {
  try {
    const { at, changes } = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Stored>;
    if (typeof at !== "number" || !Array.isArray(changes)) return undefined;
    return { at, changes: changes.filter(isChange) };
  } catch {
    return undefined;
  }
}

const isChange = ({ field, base, value, sent = [] }: Record<string, unknown>) =>
  Array.isArray(sent) && [base, value, ...sent].every((each) => isValue(field, each));

const isValue = (field: unknown, value: unknown): value is FieldValue =>
  field === reviewComment ? typeof value === "string" : typeof field === "string" && isAnswer(value);

/** Whether the form can show it. The server validates the rest; zod would add 25 KB to this page. */
function isAnswer(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return false;
  const { value, comment = "", moments = [] } = answer as Record<string, unknown>;
  const isShown = value === undefined || typeof value === "string" || typeof value === "number" || Array.isArray(value);
  return isShown && typeof comment === "string" && Array.isArray(moments);
}

function write(key: string, stored: Stored): boolean {
  const text = JSON.stringify(stored);
  if (text.length > maxCharacters) return false;
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is unavailable: nothing is stored.
  }
}

function dropExpired(userId: string): void {
  const isExpired = (key: string) => (read(key)?.at ?? 0) < Date.now() - maxAgeMs;
  for (const key of userKeys(userId, name).filter(isExpired)) remove(key);
}

function dropOldest(userId: string, kept: string): void {
  const others = userKeys(userId, name).filter((key) => key !== kept);
  if (others.length < maxReviews) return;
  const byAge = others.sort((a, b) => (read(a)?.at ?? 0) - (read(b)?.at ?? 0));
  for (const key of byAge.slice(0, others.length - maxReviews + 1)) remove(key);
}
