/// <reference lib="dom" />
import type { Page } from "playwright-core";

/** How loud it was in each ear, as an effective value, at a moment of the call. */
export interface Heard {
  /** When, by the clock on the wall. */
  readonly at: number;
  readonly ms: number;
  readonly left: number;
  readonly right: number;
}

/** How long after a key was pressed, in milliseconds. */
export interface Begun {
  /** The browser says that it plays. */
  readonly playingMs: number;
  /** Its place has moved on. */
  readonly movedMs: number;
  /** Something reaches the loudspeakers. */
  readonly soundedMs: number;
}

interface Ears {
  levels(): { left: number; right: number };
}

/** Holds an ear to whatever the page sends to the loudspeakers. Before the page is opened. */
export async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode, from?: number) => AudioNode;
    const outputs: AnalyserNode[][] = [];
    const level = (analyser: AnalyserNode) => {
      const samples = new Float32Array(analyser.fftSize);
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    };
    // Of several ways to the loudspeakers one is open at a time.
    const loudest = (ear: number) => Math.max(0, ...outputs.map((output) => level(output[ear] as AnalyserNode)));
    Object.assign(window, { ears: { levels: () => ({ left: loudest(0), right: loudest(1) }) } });
    AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode, from = 0) {
      if (to instanceof AudioDestinationNode) {
        const stereo = new GainNode(this.context, { channelCount: 2, channelCountMode: "explicit" });
        const splitter = new ChannelSplitterNode(this.context, { numberOfOutputs: 2 });
        const output = [0, 1].map(() => new AnalyserNode(this.context, { fftSize: 1024 }));
        connect.call(connect.call(this, stereo), splitter);
        for (const [ear, analyser] of output.entries()) connect.call(splitter, analyser, ear);
        outputs.push(output);
      }
      return connect.call(this, to, from);
    } as typeof AudioNode.prototype.connect;
  });
}

/** Listens for a while to what plays, some forty times a second. */
export function listen(page: Page, forMs: number): Promise<Heard[]> {
  return page.evaluate(async (forMs) => {
    const audio = document.querySelector("audio") as HTMLAudioElement;
    const heard: Heard[] = [];
    for (const until = performance.now() + forMs; performance.now() < until; ) {
      const levels = (window as unknown as { ears: Ears }).ears.levels();
      heard.push({ at: performance.now(), ms: audio.currentTime * 1000, ...levels });
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return heard;
  }, forMs);
}

/** Presses a key and waits for the sound. */
export async function pressAndListen(page: Page, key: string): Promise<Begun> {
  const begun = page.evaluate(async () => {
    const audio = document.querySelector("audio") as HTMLAudioElement;
    const ears = (window as unknown as { ears: Ears }).ears;
    const from = audio.currentTime;
    const pressed = await new Promise<number>((resolve) =>
      window.addEventListener("keydown", (event) => resolve(event.timeStamp), { capture: true, once: true }),
    );
    const since = () => performance.now() - pressed;
    const playing = new Promise<number>((resolve) =>
      audio.addEventListener("playing", () => resolve(since()), { once: true }),
    );
    const when = async (is: () => boolean) => {
      while (!is() && since() < 10_000) await new Promise((resolve) => setTimeout(resolve, 4));
      return since();
    };
    const moved = when(() => audio.currentTime > from);
    const sounded = when(() => ears.levels().left + ears.levels().right > 0.001);
    return { playingMs: await playing, movedMs: await moved, soundedMs: await sounded };
  });
  // Listening must have begun before the key goes down.
  await page.evaluate("new Promise(requestAnimationFrame)");
  await page.keyboard.press(key);
  return begun;
}

/** Where the player is, and what is set. */
export const playerState = (page: Page) =>
  page.evaluate(() => {
    const { currentTime, paused, playbackRate, preservesPitch } = document.querySelector("audio") as HTMLAudioElement;
    return { ms: currentTime * 1000, paused, speed: playbackRate, preservesPitch };
  });
