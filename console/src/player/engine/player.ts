import { type AudioGraph, openAudioGraph, type Voice } from "./audio-graph.ts";
import { createListeners } from "./listeners.ts";
import { openPosition } from "./position.ts";
import { readSettings, type Settings, writeSettings } from "./settings.ts";

export interface PlayerState extends Settings {
  readonly playing: boolean;
  /** Playing, but buffering. */
  readonly waiting: boolean;
  readonly broken: boolean;
  readonly muted: ReadonlySet<Voice["channel"]>;
}

export interface PlayerOptions {
  readonly durationMs: number;
  readonly voices: readonly Voice[];
}

export type Player = ReturnType<typeof openPlayer>;

/** Plays one call. `subscribe` reports state changes; `onTime` reports the position on every frame. */
export function openPlayer(audio: HTMLAudioElement, { durationMs, voices }: PlayerOptions) {
  const listeners = createListeners<[]>();
  const closed = new AbortController();
  let state: PlayerState = { ...readSettings(), playing: false, waiting: false, broken: false, muted: new Set() };
  let sound: AudioGraph | undefined;
  const position = openPosition(audio, { durationMs, isSkipping: () => state.skipSilence });
  /** End of the stretch that is playing. */
  let stopAt: number | undefined;

  function update(change: Partial<PlayerState>) {
    state = { ...state, ...change };
    sound?.apply(state);
    listeners.notify();
  }

  // Created on the first play: browsers allow audio only after a user gesture.
  async function wake() {
    sound ??= openAudioGraph(audio, voices);
    sound.apply(state);
    await sound.wake();
  }

  async function play() {
    if (audio.ended || position.nowMs() >= durationMs - 50) position.goTo(0);
    try {
      await Promise.all([wake(), audio.play()]);
    } catch (error) {
      // AbortError: paused before playback started.
      if (!(error instanceof DOMException && error.name === "AbortError")) update({ broken: true, waiting: false });
    }
  }

  // Media keys control the element directly.
  watch(audio, closed.signal, { update, wake, turn: position.turn, passing: position.passSilence });
  setSpeed(audio, state.speed);
  position.onTime((ms, moved) => {
    if (moved) stopAt = undefined;
    else if (stopAt !== undefined && ms >= stopAt) audio.pause();
  });
  const clearStop = () => {
    stopAt = undefined;
  };
  audio.addEventListener("pause", clearStop, { signal: closed.signal });
  return {
    ...position,
    durationMs,
    state: () => state,
    subscribe: listeners.add,
    toggle() {
      if (audio.paused) void play();
      else audio.pause();
    },
    /** Plays a stretch and stops at its end. A stretch without length plays on. */
    playStretch({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) {
      position.goTo(startMs);
      if (endMs > startMs) stopAt = endMs;
      if (audio.paused) void play();
    },
    /** Settings persist across calls. */
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
      // load() stops playback without an event.
      update({ broken: false, playing: false, waiting: false });
      audio.load();
      position.goTo(ms);
      if (playing) void play();
    },
    close() {
      closed.abort();
      position.close();
      audio.pause();
      // Cancel pending downloads.
      audio.removeAttribute("src");
      audio.load();
      sound?.close();
      listeners.clear();
    },
  };
}

/** load() resets playbackRate to the default. */
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
    // From here on the audit log has the playback, and the browser may buffer as much as it likes.
    audio.preload = "auto";
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
  // Animation frames stop in background tabs; timeupdate does not.
  on("timeupdate", passing);
}
