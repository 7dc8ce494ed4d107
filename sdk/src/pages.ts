import { notUnderstood } from "./answers.ts";

/** All items of a list, page by page while you go through them. */
export type Items<Item> = AsyncGenerator<Item, void, undefined>;

/** How a list is read: one page, or everything, page by page, item by item. */
export function paged<Args extends object, Page, Item>(
  page: (args: Args) => Promise<Page>,
  look: (page: Page) => { readonly items: readonly Item[]; readonly next: string | number | null },
  cursor: (args: Args) => string = () => "cursor",
) {
  return {
    page,
    /** The next page is asked for when the one before is used up. */
    async *all(args: Args): Items<Item> {
      let ask = args;
      for (;;) {
        const { items, next } = look(await page(ask));
        if (!Array.isArray(items)) throw notUnderstood("is no list", { status: 200, attempts: 1 });
        yield* items;
        if (next === null) return;
        ask = { ...args, [cursor(args)]: next };
      }
    },
  };
}
