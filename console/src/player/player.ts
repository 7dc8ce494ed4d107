import { openListeners } from "./listeners.ts";
import { openPosition } from "./position.ts";
import { readSettings, type Settings, writeSettings } from "./settings.ts";
import { openSound, type Sound, type Voice } from "./sound.ts";

export interface PlayerState extends Settings {
  readonly playing: boolean;
  /** It should be heard and the bytes are not here yet. */
  readonly waiting: boolean;
  readonly broken: boolean;
  /** The channels that are not heard. */
  readonly muted: ReadonlySet<Voice["channel"]>;
}

export interface PlayerOptions {
  readonly durationMs: number;
  readonly voices: readonly Voice[];
}

export type Player = ReturnType<typeof openPlayer>;

/** Plays one call. What changes rarely is told to `subscribe`; the passing of time, frame by frame, to `onTime`. */
export function openPlayer(audio: HTMLAudioElement, { durationMs, voices }: PlayerOptions) {
  const listeners = openListeners<[]>();
  const closed = new AbortController();
  let state: PlayerState = { ...readSettings(), playing: false, waiting: false, broken: false, muted: new Set() };
  let sound: Sound | undefined;
  const position = openPosition(audio, { durationMs, isSkipping: () => state.skipSilence });

  function update(change: Partial<PlayerState>) {
    state = { ...state, ...change };
    sound?.apply(state);
    listeners.tell();
  }

  // Made only now: a page may not sound before somebody has pressed something.
  async function wake() {
    sound ??= openSound(audio, voices);
    sound.apply(state);
    await sound.wake();
  }

  async function play() {
    if (audio.ended || position.nowMs() >= durationMs - 50) position.goTo(0);
    try {
      await Promise.all([wake(), audio.play()]);
    } catch (error) {
      // A pause that comes before the sound does is no failure.
      if (!(error instanceof DOMException && error.name === "AbortError")) update({ broken: true, waiting: false });
    }
  }

  // The play key of a headset speaks to the element itself.
  watch(audio, closed.signal, { update, wake, turn: position.turn, passing: position.passSilence });
  setSpeed(audio, state.speed);
  return {
    ...position,
    durationMs,
    state: () => state,
    subscribe: listeners.add,
    toggle() {
      if (audio.paused) void play();
      else audio.pause();
    },
    /** What is chosen stays from call to call. */
    change(settings: Partial<Settings>) {
      update(settings);
      const { speed, skipSilence, evened, spread } = state;
      writeSettings({ speed, skipSilence, evened, spread });
      setSpeed(audio, speed);
    },
    mute: (channels: Iterable<Voice["channel"]>) => update({ muted: new Set(channels) }),
    tryAgain() {
      const ms = position.nowMs();
      const { playing } = state;
      // Loading anew stops it without saying so.
      update({ broken: false, playing: false, waiting: false });
      audio.load();
      position.goTo(ms);
      if (playing) void play();
    },
    close() {
      closed.abort();
      position.close();
      audio.pause();
      // Whatever is still being fetched is not wanted any more.
      audio.removeAttribute("src");
      audio.load();
      sound?.close();
      listeners.clear();
    },
  };
}

/** What is loaded anew has the default rate. */
function setSpeed(audio: HTMLMediaElement, speed: number) {
  audio.defaultPlaybackRate = speed;
  audio.playbackRate = speed;
}

interface Watcher {
  readonly update: (change: Partial<PlayerState>) => void;
  readonly wake: () => Promise<void>;
  readonly turn: () => void;
  readonly passing: () => void;
}

function watch(audio: HTMLMediaElement, signal: AbortSignal, { update, wake, turn, passing }: Watcher): void {
  const on = (name: keyof HTMLMediaElementEventMap, listener: () => void) =>
    audio.addEventListener(name, listener, { signal });
  const stop = () => {
    update({ playing: false, waiting: false });
    turn();
  };
  on("play", () => {
    void wake();
    update({ playing: true });
    turn();
  });
  on("pause", stop);
  on("ended", stop);
  on("waiting", () => update({ waiting: true }));
  on("playing", () => update({ waiting: false }));
  on("error", () => update({ broken: true, waiting: false }));
  on("loadedmetadata", () => update({ broken: false }));
  on("seeked", turn);
  // Frames stop in a tab that nobody looks at; this does not.
  on("timeupdate", passing);
}
