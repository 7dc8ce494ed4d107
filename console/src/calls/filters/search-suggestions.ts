import type { CallItem, UserBody } from "@hearback/sdk";
import { type MetadataEntry, phoneDigits } from "./call-filters.ts";

/** Meaning of a search text. */
export type Suggestion =
  | { readonly kind: "call"; readonly id: string }
  | { readonly kind: "campaign"; readonly id: string; readonly name: string }
  | { readonly kind: "agent"; readonly id: string; readonly name: string; readonly email: string }
  | { readonly kind: "phone"; readonly digits: string }
  | ({ readonly kind: "metadata" } & MetadataEntry);

export interface SuggestionSources {
  readonly campaigns: ReadonlyMap<string, string>;
  readonly agents: readonly UserBody[];
  readonly calls: Iterable<CallItem>;
  /** Metadata keys, most frequent first. */
  readonly keys: readonly string[];
}

const max = { names: 4, seen: 4, keys: 6 } as const;
const callId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Suggestions, most likely first. Phone numbers match by their last digits. Other metadata matches exactly, so values seen
 * in loaded calls are completed.
 */
export function findSuggestions(typed: string, known: SuggestionSources): Suggestion[] {
  const words = typed.trim();
  if (words === "") return [];
  if (callId.test(words)) return [{ kind: "call", id: words.toLowerCase() }, ...anyKey(words, known.keys, [])];
  const seen = seenEntries(words, known.calls);
  const digits = phoneDigits(words);
  const phone: Suggestion[] = digits ? [{ kind: "phone", digits }] : [];
  const metadata = [...phone, ...seen, ...anyKey(words, known.keys, seen)];
  const names = [...campaignsNamed(words, known.campaigns), ...agentsNamed(words, known.agents)];
  // Texts with digits are likely phone or customer numbers, others names.
  return /\d{3}/.test(words) ? [...metadata, ...names] : [...names, ...metadata];
}

const has = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase());

const campaignsNamed = (words: string, campaigns: SuggestionSources["campaigns"]): Suggestion[] =>
  [...campaigns]
    .filter(([id, name]) => has(name, words) || has(id, words))
    .slice(0, max.names)
    .map(([id, name]) => ({ kind: "campaign", id, name }));

const agentsNamed = (words: string, agents: SuggestionSources["agents"]): Suggestion[] =>
  agents
    .filter(({ name, email }) => has(name, words) || has(email, words))
    .slice(0, max.names)
    .map(({ id, name, email }) => ({ kind: "agent", id, name, email }));

/** Ignores separators in numbers. */
const withoutSeparators = (text: string) => text.toLowerCase().replace(/[\s().-]/g, "");

function seenEntries(words: string, calls: SuggestionSources["calls"]): (Suggestion & MetadataEntry)[] {
  const found = new Map<string, MetadataEntry>();
  const wanted = withoutSeparators(words);
  if (wanted.length < 2) return [];
  for (const { metadata } of calls) {
    for (const entry of metadata) {
      if (withoutSeparators(entry.value).includes(wanted)) found.set(JSON.stringify([entry.key, entry.value]), entry);
      if (found.size === max.seen) return toSuggestions(found.values());
    }
  }
  return toSuggestions(found.values());
}

const toSuggestions = (entries: Iterable<MetadataEntry>) =>
  [...entries].map(({ key, value }) => ({ kind: "metadata" as const, key, value }));

const anyKey = (value: string, keys: readonly string[], without: readonly MetadataEntry[]): Suggestion[] =>
  keys
    .filter((key) => !without.some((entry) => entry.key === key && entry.value === value))
    .slice(0, max.keys)
    .map((key) => ({ kind: "metadata", key, value }));
