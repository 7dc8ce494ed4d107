export type SaveState =
  | { readonly kind: "saved" }
  /** Changes wait for the next request. */
  | { readonly kind: "waiting" }
  | { readonly kind: "saving" }
  /** `retries`: tries again by itself. */
  | { readonly kind: "failed"; readonly error: unknown; readonly retries: boolean }
  /** The draft was changed elsewhere. It has this number now. */
  | { readonly kind: "conflict"; readonly number: number };

export type Failure = { readonly conflict: number } | "retry" | "refused";

interface SaverOptions<Document> {
  /** The number of the draft that the first document is based on. */
  readonly number: number;
  readonly document: Document;
  /** Saves a document if the draft still has this number. Resolves with its new number. */
  readonly save: (document: Document, ifMatch: number) => Promise<number>;
  readonly classify: (error: unknown) => Failure;
}

/** Typing is saved after this pause. */
const pauseMs = 700;
const retryMs = { first: 2_000, most: 30_000 };

export type DraftSaver<Document> = ReturnType<typeof createDraftSaver<Document>>;

/**
 * Autosave. One request at a time, each with the number of the draft that it replaces. Network failures are retried with
 * backoff; a conflict waits for the user's decision. The document itself stays in memory until it is saved.
 */
export function createDraftSaver<Document>({ document, save, classify, ...options }: SaverOptions<Document>) {
  let number = options.number;
  /** Undefined: the draft must be overwritten in any case. */
  let saved: Document | undefined = document;
  let current = document;
  let state: SaveState = { kind: "saved" };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: Promise<void> | undefined;
  let delayMs = retryMs.first;
  const listeners = new Set<() => void>();

  function setState(next: SaveState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void start(), ms);
  }

  /** Sends the current document, after a request in progress. */
  function start(): Promise<void> {
    clearTimeout(timer);
    if (request) return request.then(() => (state.kind === "waiting" ? start() : undefined));
    if (current === saved) {
      setState({ kind: "saved" });
      return Promise.resolve();
    }
    request = send(current).finally(() => {
      request = undefined;
    });
    return request;
  }

  async function send(sent: Document): Promise<void> {
    setState({ kind: "saving" });
    try {
      number = await save(sent, number);
      saved = sent;
      delayMs = retryMs.first;
      if (current === sent) return setState({ kind: "saved" });
      setState({ kind: "waiting" });
      schedule(pauseMs);
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    const failure = classify(error);
    if (typeof failure === "object") {
      setState({ kind: "conflict", number: failure.conflict });
      return;
    }
    setState({ kind: "failed", error, retries: failure === "retry" });
    if (failure !== "retry") return;
    schedule(delayMs);
    delayMs = Math.min(delayMs * 2, retryMs.most);
  }

  return {
    state: () => state,
    number: () => number,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Saves the document after a pause, unless a conflict waits for a decision. */
    change(next: Document): void {
      current = next;
      if (state.kind === "conflict") return;
      if (state.kind === "failed" && state.retries) return;
      if (!request) setState(current === saved ? { kind: "saved" } : { kind: "waiting" });
      if (current !== saved || request) schedule(pauseMs);
    },
    /** Saves at once. Resolves with true if everything is saved. */
    async flush(): Promise<boolean> {
      if (state.kind === "conflict") return false;
      await start();
      return state.kind === "saved" && current === saved;
    },
    /** Ends a conflict: overwrites the draft that now has this number. */
    overwrite(theirs: number): Promise<void> {
      number = theirs;
      saved = undefined;
      return start();
    },
    /** Ends a conflict, or follows a change made elsewhere: the draft has this state now. */
    reset(next: Document, theirs: number): void {
      clearTimeout(timer);
      number = theirs;
      saved = next;
      current = next;
      setState({ kind: "saved" });
    },
    /** Tries again at once, for example when the network is back. */
    retry(): void {
      if (state.kind === "failed") void start();
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}
