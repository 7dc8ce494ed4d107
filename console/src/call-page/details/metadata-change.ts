import type { ChangeCall, Metadata } from "@hearback/sdk";

type Entry = Metadata[number];

const isSame = (a: Entry, b: Entry) => a.key === b.key && a.value === b.value;

/** PATCH body that turns `before` into `after`. Undefined: no change. */
export function metadataChange(before: Metadata, after: Metadata): ChangeCall["metadata"] {
  const kept = keys(after).filter((key) => sameList(of(before, key), of(after, key)));
  const touched = (key: string) => !kept.includes(key);
  const remove = keys(before).filter(touched);
  // Entries with a changed key are removed and added again, which makes the request idempotent.
  const add = after.filter(({ key }) => touched(key));
  if (remove.length === 0 && add.length === 0) return undefined;
  return {
    ...(remove.length > 0 && { remove: remove.map((key) => ({ key })) }),
    ...(add.length > 0 && { add }),
  };
}

export function changedEntries(before: Metadata, after: Metadata): { removed: Entry[]; added: Entry[] } {
  const added = [...after];
  const removed = before.filter((entry) => {
    const index = added.findIndex((other) => isSame(entry, other));
    if (index >= 0) added.splice(index, 1);
    return index < 0;
  });
  return { removed, added };
}

const keys = (metadata: Metadata) => [...new Set(metadata.map(({ key }) => key))];
const of = (metadata: Metadata, key: string) => metadata.filter((entry) => entry.key === key);
const sameList = (a: Metadata, b: Metadata) =>
  a.length === b.length && a.every((entry, index) => isSame(entry, b[index] ?? { key: "", value: "" }));
