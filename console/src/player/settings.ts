/** How somebody likes to listen. It stays from call to call. */
export interface Settings {
  readonly speed: number;
  readonly skipSilence: boolean;
  readonly evened: boolean;
  readonly spread: boolean;
}

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

const defaults: Settings = { speed: 1, skipSilence: false, evened: true, spread: false };
const place = "hearback.listening";

export function readSettings(): Settings {
  try {
    return toSettings(JSON.parse(localStorage.getItem(place) ?? "{}"));
  } catch {
    return defaults;
  }
}

export function writeSettings(settings: Settings): void {
  try {
    localStorage.setItem(place, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing begins with the defaults next time.
  }
}

/** What was kept, as far as it still makes sense. */
function toSettings(kept: Readonly<Record<string, unknown>> | null): Settings {
  const flag = (name: "skipSilence" | "evened" | "spread") =>
    typeof kept?.[name] === "boolean" ? kept[name] : defaults[name];
  return {
    speed: speeds.find((speed) => speed === kept?.speed) ?? defaults.speed,
    ...{ skipSilence: flag("skipSilence"), evened: flag("evened"), spread: flag("spread") },
  };
}

/** The next faster or slower speed; the same where there is none. */
export function nextSpeed(speed: number, step: 1 | -1): number {
  const place = speeds.findIndex((known) => known >= speed);
  return speeds[place + step] ?? speed;
}
