export interface BatchOptions {
  /** More items go to further batches. */
  readonly maxItems?: number;
  /** A batch that takes longer than this no longer holds the next one back. */
  readonly maxWaitMs?: number;
}

interface Batch<Item, Result> {
  readonly items: Item[];
  readonly done: Promise<Result>;
}

/**
 * Collects the items added while a batch is running into the next batch. Nothing waits for more items: a single one is processed
 * immediately, as a batch of one. All items of a batch get its result.
 */
export function inBatches<Item, Result = void>(
  work: (items: Item[]) => Promise<Result>,
  { maxItems = Number.POSITIVE_INFINITY, maxWaitMs }: BatchOptions = {},
): (item: Item) => Promise<Result> {
  let next: Batch<Item, Result> | undefined;
  let current: Promise<unknown> | undefined;

  /** Resolves when the current batch no longer holds the next one back, whether it succeeds or fails. */
  function turn(): Promise<void> {
    const running = current;
    if (!running) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = maxWaitMs === undefined ? undefined : setTimeout(resolve, maxWaitMs);
      const ended = () => {
        clearTimeout(timer);
        resolve();
      };
      running.then(ended, ended);
    });
  }

  function open(): Batch<Item, Result> {
    const items: Item[] = [];
    const done = turn().then(() => {
      if (next === batch) next = undefined;
      return work(items);
    });
    const batch = { items, done };
    const ended = () => {
      if (current === done) current = undefined;
    };
    done.then(ended, ended);
    current = done;
    return batch;
  }

  return (item) => {
    if (!next || next.items.length >= maxItems) next = open();
    next.items.push(item);
    return next.done;
  };
}

/** Like `inBatches`, but a batch has items of one key only. Keys do not wait for each other. */
export function inBatchesByKey<Item, Result = void>(
  work: (key: string, items: Item[]) => Promise<Result>,
  options?: BatchOptions,
): (key: string, item: Item) => Promise<Result> {
  const lanes = new Map<string, { readonly add: (item: Item) => Promise<Result>; unfinished: number }>();
  return async (key, item) => {
    const lane = lanes.get(key) ?? { add: inBatches((items: Item[]) => work(key, items), options), unfinished: 0 };
    lanes.set(key, lane);
    lane.unfinished++;
    try {
      return await lane.add(item);
    } finally {
      lane.unfinished--;
      if (lane.unfinished === 0) lanes.delete(key);
    }
  };
}
