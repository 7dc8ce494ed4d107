/**
 * Collects the items added while a batch is running into the next batch. There is no timer: a single item is processed
 * immediately, as a batch of one.
 */
export function inBatches<Item>(work: (items: Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let next: { items: Item[]; done: Promise<void> } | undefined;
  let current: Promise<void> = Promise.resolve();

  return (item) => {
    if (!next) {
      const items: Item[] = [];
      const done = current.then(() => {
        next = undefined;
        return work(items);
      });
      next = { items, done };
      // The next batch starts whether this one succeeds or fails.
      current = done.catch(() => {});
    }
    next.items.push(item);
    return next.done;
  };
}
