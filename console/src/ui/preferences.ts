/** What a reader chose for this browser. Nothing secret: it only says how things are shown. */
export interface Preferences {
  readonly language?: string | undefined;
  /** An IANA zone; absent: the browser's. */
  readonly zone?: string | undefined;
  /** The columns of each table, by its name. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** "off": keys do only what they do everywhere. */
  readonly shortcuts?: "on" | "off";
}

const place = "hearback.preferences";

export function readPreferences(): Preferences {
  try {
    return (JSON.parse(localStorage.getItem(place) ?? "{}") ?? {}) as Preferences;
  } catch {
    return {};
  }
}

export function writePreferences(change: Preferences): void {
  try {
    localStorage.setItem(place, JSON.stringify({ ...readPreferences(), ...change }));
  } catch {
    // A browser that keeps nothing shows the defaults next time.
  }
  window.dispatchEvent(new Event(place));
}

/** Calls back when a preference changes, here or in another tab. */
export function onPreferences(listener: () => void): () => void {
  window.addEventListener(place, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(place, listener);
    window.removeEventListener("storage", listener);
  };
}
