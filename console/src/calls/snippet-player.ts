import { client } from "../client.ts";

interface Snippet {
  readonly callId: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** What is said before and after belongs to it. */
const beforeMs = 2_000;
const afterMs = 4_000;

const listeners = new Set<() => void>();
let audio: HTMLAudioElement | undefined;
let playing: string | undefined;

function set(callId: string | undefined) {
  if (playing === callId) return;
  playing = callId;
  for (const listener of listeners) listener();
}

/** Plays moments from a list, one at a time. */
export const snippetPlayer = {
  /** Id of the call that is playing. */
  playing: () => playing,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  async play({ callId, startMs, endMs }: Snippet): Promise<void> {
    snippetPlayer.stop();
    const opened = new Audio(client.calls.audioUrl(callId));
    audio = opened;
    const toMs = endMs + afterMs;
    const stop = () => opened === audio && snippetPlayer.stop();
    opened.addEventListener("timeupdate", () => opened.currentTime * 1000 >= toMs && stop());
    opened.addEventListener("ended", stop);
    opened.currentTime = Math.max(0, startMs - beforeMs) / 1000;
    set(callId);
    try {
      await opened.play();
    } catch (error) {
      stop();
      // AbortError: stopped before it started.
      if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    }
  },
  stop() {
    const stopped = audio;
    audio = undefined;
    stopped?.pause();
    // Cancels the download.
    stopped?.removeAttribute("src");
    stopped?.load();
    set(undefined);
  },
};
