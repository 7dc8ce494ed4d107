/** Playback settings, kept across calls. */
export interface Settings {
  readonly speed: number;
  readonly skipSilence: boolean;
  readonly evened: boolean;
  readonly spread: boolean;
}

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

const defaults: Settings = { speed: 1, skipSilence: false, evened: true, spread: false };
const storageKey = "hearback.listening";

export function readSettings(): Settings {
  try {
    return toSettings(JSON.parse(localStorage.getItem(storageKey) ?? "{}"));
  } catch {
    return defaults;
  }
}

export function writeSettings(settings: Settings): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(settings));
  } catch {
    // Storage is unavailable: use the defaults next time.
  }
}

/** Validates stored settings. */
function toSettings(kept: Readonly<Record<string, unknown>> | null): Settings {
  const flag = (name: "skipSilence" | "evened" | "spread") =>
    typeof kept?.[name] === "boolean" ? kept[name] : defaults[name];
  return {
    speed: speeds.find((speed) => speed === kept?.speed) ?? defaults.speed,
    skipSilence: flag("skipSilence"),
    evened: flag("evened"),
    spread: flag("spread"),
  };
}

/** Next speed up or down, or the same at the end of the range. */
export function nextSpeed(speed: number, step: 1 | -1): number {
  const index = speeds.findIndex((known) => known >= speed);
  return speeds[index + step] ?? speed;
}
