import type { ChangeCall, Metadata } from "@hearback/sdk";

type Entry = Metadata[number];

const isSame = (a: Entry, b: Entry) => a.key === b.key && a.value === b.value;

/** What to send so that these entries become those: undefined where they are the same. */
export function metadataChange(before: Metadata, after: Metadata): ChangeCall["metadata"] {
  const kept = keys(after).filter((key) => sameList(of(before, key), of(after, key)));
  const touched = (key: string) => !kept.includes(key);
  const remove = keys(before).filter(touched);
  // Whatever has this key is taken away first, so that repeating the request changes nothing more.
  const add = after.filter(({ key }) => touched(key));
  if (remove.length === 0 && add.length === 0) return undefined;
  return {
    ...(remove.length > 0 && { remove: remove.map((key) => ({ key })) }),
    ...(add.length > 0 && { add }),
  };
}

/** Which entries went and which came. */
export function changedEntries(before: Metadata, after: Metadata): { removed: Entry[]; added: Entry[] } {
  const added = [...after];
  const removed = before.filter((entry) => {
    const place = added.findIndex((other) => isSame(entry, other));
    if (place >= 0) added.splice(place, 1);
    return place < 0;
  });
  return { removed, added };
}

const keys = (metadata: Metadata) => [...new Set(metadata.map(({ key }) => key))];
const of = (metadata: Metadata, key: string) => metadata.filter((entry) => entry.key === key);
const sameList = (a: Metadata, b: Metadata) =>
  a.length === b.length && a.every((entry, place) => isSame(entry, b[place] ?? { key: "", value: "" }));
