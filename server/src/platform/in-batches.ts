/**
 * Makes one call of `work` serve everybody who asks while the one before it is under way.
 * Nobody waits for a timer: alone, an item is a batch of one.
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
      // The next batch follows this one whether it succeeds or not.
      current = done.catch(() => {});
    }
    next.items.push(item);
    return next.done;
  };
}
