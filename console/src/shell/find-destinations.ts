export interface Destination {
  readonly href: string;
  readonly label: string;
}

const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Destinations whose label contains every typed word; those that start with the text first. */
export function findDestinations<Item extends Destination>(items: readonly Item[], typed: string): Item[] {
  const text = fold(typed.trim());
  const words = text.split(/\s+/);
  const matching = items.filter(({ label }) => words.every((word) => fold(label).includes(word)));
  const [first, rest] = [true, false].map((starts) =>
    matching.filter(({ label }) => fold(label).startsWith(text) === starts),
  );
  return [...(first ?? []), ...(rest ?? [])];
}
