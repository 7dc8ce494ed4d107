/** Display preferences of this browser. Not secret. */
export interface Preferences {
  readonly language?: string | undefined;
  /** IANA zone. Absent: the browser's. */
  readonly zone?: string | undefined;
  /** Columns per table. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** "off" disables shortcuts. */
  readonly shortcuts?: "on" | "off";
}

const storageKey = "hearback.preferences";

export function readPreferences(): Preferences {
  try {
    return (JSON.parse(localStorage.getItem(storageKey) ?? "{}") ?? {}) as Preferences;
  } catch {
    return {};
  }
}

export function writePreferences(change: Preferences): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ ...readPreferences(), ...change }));
  } catch {
    // Storage is unavailable: use the defaults next time.
  }
  window.dispatchEvent(new Event(storageKey));
}

/** Calls the listener when a preference changes, also in another tab. */
export function onPreferences(listener: () => void): () => void {
  window.addEventListener(storageKey, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(storageKey, listener);
    window.removeEventListener("storage", listener);
  };
}
