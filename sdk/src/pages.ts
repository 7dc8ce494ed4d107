/** Goes through all pages, item by item; the next page is asked for when the one before is used up. */
export async function* throughPages<Page, Item>(
  read: (after: string | undefined) => Promise<Page>,
  look: (page: Page) => { readonly items: readonly Item[]; readonly next: string | null },
): AsyncGenerator<Item, void, undefined> {
  let after: string | undefined;
  do {
    const { items, next } = look(await read(after));
    yield* items;
    after = next ?? undefined;
  } while (after !== undefined);
}
