/// <reference lib="dom" />
import type { Page } from "playwright-core";

/** RMS level per ear at a position of the call. */
export interface LevelSample {
  readonly ms: number;
  readonly left: number;
  readonly right: number;
}

/** Delays after a key press, in milliseconds. */
export interface PlayDelays {
  /** "playing" event. */
  readonly playingMs: number;
  /** The position has advanced. */
  readonly movedMs: number;
  /** Audio output is not silent. */
  readonly soundedMs: number;
}

interface OutputTap {
  levels(): { left: number; right: number };
}

/** Taps the audio output of the page. Call before opening it. */
export async function tapAudioOutput(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode, from?: number) => AudioNode;
    const outputs: AnalyserNode[][] = [];
    const level = (analyser: AnalyserNode) => {
      const samples = new Float32Array(analyser.fftSize);
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    };
    // Only one output path is open at a time.
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

/** Samples the levels about 40 times per second until playback passes a position. A starved machine plays slowly. */
export function sampleLevelsUntil(page: Page, positionMs: number): Promise<LevelSample[]> {
  return page.evaluate(async (positionMs) => {
    const audio = document.querySelector("audio") as HTMLAudioElement;
    const samples: LevelSample[] = [];
    const deadline = performance.now() + 60_000;
    while (audio.currentTime * 1000 < positionMs) {
      if (performance.now() > deadline) throw new Error(`after 60 s the player is at ${audio.currentTime} s`);
      const levels = (window as unknown as { ears: OutputTap }).ears.levels();
      samples.push({ ms: audio.currentTime * 1000, ...levels });
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return samples;
  }, positionMs);
}

/** Presses a key and measures the delays. */
export async function measurePlayDelays(page: Page, key: string): Promise<PlayDelays> {
  const begun = page.evaluate(async () => {
    const audio = document.querySelector("audio") as HTMLAudioElement;
    const ears = (window as unknown as { ears: OutputTap }).ears;
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
  // Measuring must start before the key press.
  await page.evaluate("new Promise(requestAnimationFrame)");
  await page.keyboard.press(key);
  return begun;
}

export const playerState = (page: Page) =>
  page.evaluate(() => {
    const { currentTime, paused, playbackRate, preservesPitch } = document.querySelector("audio") as HTMLAudioElement;
    return { ms: currentTime * 1000, paused, speed: playbackRate, preservesPitch };
  });
