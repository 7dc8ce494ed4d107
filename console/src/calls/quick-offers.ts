import type { CallItem, UserBody } from "@hearback/sdk";
import type { MetadataEntry } from "./call-filters.ts";

/** What typed words may mean. */
export type Offer =
  | { readonly kind: "call"; readonly id: string }
  | { readonly kind: "campaign"; readonly id: string; readonly name: string }
  | { readonly kind: "agent"; readonly id: string; readonly name: string; readonly email: string }
  | ({ readonly kind: "metadata" } & MetadataEntry);

export interface Known {
  readonly campaigns: ReadonlyMap<string, string>;
  readonly agents: readonly UserBody[];
  readonly calls: Iterable<CallItem>;
  /** Names of metadata, the most frequent first. */
  readonly keys: readonly string[];
}

const most = { names: 4, seen: 4, keys: 6 } as const;
const callId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Offers for what somebody typed, the likeliest first. Metadata is compared exactly: what was seen is completed. */
export function findOffers(typed: string, known: Known): Offer[] {
  const words = typed.trim();
  if (words === "") return [];
  if (callId.test(words)) return [{ kind: "call", id: words.toLowerCase() }, ...anyKey(words, known.keys, [])];
  const seen = seenEntries(words, known.calls);
  const metadata = [...seen, ...anyKey(words, known.keys, seen)];
  const names = [...campaignsNamed(words, known.campaigns), ...agentsNamed(words, known.agents)];
  // Digits are a number of a telephone or of a customer; letters are a name first.
  return /\d{3}/.test(words) ? [...metadata, ...names] : [...names, ...metadata];
}

const has = (text: string, words: string) => text.toLowerCase().includes(words.toLowerCase());

const campaignsNamed = (words: string, campaigns: Known["campaigns"]): Offer[] =>
  [...campaigns]
    .filter(([id, name]) => has(name, words) || has(id, words))
    .slice(0, most.names)
    .map(([id, name]) => ({ kind: "campaign", id, name }));

const agentsNamed = (words: string, agents: Known["agents"]): Offer[] =>
  agents
    .filter(({ name, email }) => has(name, words) || has(email, words))
    .slice(0, most.names)
    .map(({ id, name, email }) => ({ kind: "agent", id, name, email }));

/** Spaces, dots and dashes in a number are how somebody writes it. */
const bare = (text: string) => text.toLowerCase().replace(/[\s().-]/g, "");

function seenEntries(words: string, calls: Known["calls"]): (Offer & MetadataEntry)[] {
  const found = new Map<string, MetadataEntry>();
  const wanted = bare(words);
  if (wanted.length < 2) return [];
  for (const { metadata } of calls) {
    for (const entry of metadata) {
      if (bare(entry.value).includes(wanted)) found.set(JSON.stringify([entry.key, entry.value]), entry);
      if (found.size === most.seen) return toOffers(found.values());
    }
  }
  return toOffers(found.values());
}

const toOffers = (entries: Iterable<MetadataEntry>) =>
  [...entries].map(({ key, value }) => ({ kind: "metadata" as const, key, value }));

const anyKey = (value: string, keys: readonly string[], without: readonly MetadataEntry[]): Offer[] =>
  keys
    .filter((key) => !without.some((entry) => entry.key === key && entry.value === value))
    .slice(0, most.keys)
    .map((key) => ({ kind: "metadata", key, value }));
