import { notUnderstood } from "./responses.ts";

/** Iterates over all items of a list. Pages are fetched as needed. */
export type Items<Item> = AsyncGenerator<Item, void, undefined>;

/** Reads a list one page at a time, or item by item across all pages. */
export function paged<Args extends object, Page, Item>(
  page: (args: Args) => Promise<Page>,
  parse: (page: Page) => { readonly items: readonly Item[]; readonly next: string | number | null },
  cursor: (args: Args) => string = () => "cursor",
) {
  return {
    page,
    /** Fetches the next page when all items of the current one are consumed. */
    async *all(args: Args): Items<Item> {
      let request = args;
      for (;;) {
        const { items, next } = parse(await page(request));
        if (!Array.isArray(items)) throw notUnderstood("is not a list", { status: 200, attempts: 1 });
        yield* items;
        if (next === null) return;
        request = { ...args, [cursor(args)]: next };
      }
    },
  };
}
