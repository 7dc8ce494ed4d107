/** Channel and measured loudness of a voice. */
export interface Voice {
  readonly channel: "left" | "right" | "both";
  readonly loudnessLufs: number | null;
}

export interface MixSettings {
  readonly muted: ReadonlySet<Voice["channel"]>;
  /** Normalise loudness and compress peaks. */
  readonly evened: boolean;
  /** One voice per ear instead of both in the centre. */
  readonly spread: boolean;
}

export interface AudioGraph {
  apply(hearing: MixSettings): void;
  /** Resumes the audio context, which needs a user gesture. */
  wake(): Promise<void>;
  close(): void;
}

const targetLufs = -20;
const gainLimitsDb = { up: 18, down: -12 };
/** Gain ramp, long enough to avoid clicks. */
const rampSeconds = 0.012;
/** Compensates the make-up gain of the compressor. */
const afterCompressorDb = -6;

/** Gain that brings a voice to the target loudness. */
export function normalisingGainDb(loudnessLufs: number | null): number {
  if (loudnessLufs === null) return 0;
  return Math.max(gainLimitsDb.down, Math.min(gainLimitsDb.up, targetLufs - loudnessLufs));
}

const ratio = (db: number) => 10 ** (db / 20);

/** Routes the element through Web Audio: one gain per voice, then either the compressor or a plain path. */
export function openAudioGraph(audio: HTMLMediaElement, voices: readonly Voice[]): AudioGraph {
  const context = new AudioContext({ latencyHint: "interactive" });
  const source = context.createMediaElementSource(audio);
  const lanes = voices.some(({ channel }) => channel !== "both")
    ? separateLanes(context, source, voices)
    : [mixedLane(context, source, voices[0])];
  const evened = context.createGain();
  const plain = context.createGain();
  const compressor = new DynamicsCompressorNode(context, {
    threshold: -24,
    knee: 8,
    ratio: 3,
    attack: 0.005,
    release: 0.2,
  });
  for (const { end } of lanes) {
    end.connect(compressor);
    end.connect(plain);
  }
  compressor.connect(evened).connect(context.destination);
  plain.connect(context.destination);

  const set = (param: AudioParam, value: number) => param.setTargetAtTime(value, context.currentTime, rampSeconds);
  return {
    apply(hearing) {
      set(evened.gain, hearing.evened ? ratio(afterCompressorDb) : 0);
      set(plain.gain, hearing.evened ? 0 : 1);
      for (const { voice, gain, pan } of lanes) {
        const heard = !voice || !hearing.muted.has(voice.channel);
        const level = hearing.evened ? ratio(normalisingGainDb(voice?.loudnessLufs ?? null)) : 1;
        set(gain.gain, heard ? level : 0);
        if (pan) set(pan.pan, hearing.spread ? (voice?.channel === "left" ? -1 : 1) : 0);
      }
    },
    wake: () => context.resume(),
    close: () => void context.close(),
  };
}

interface Lane {
  readonly voice: Voice | undefined;
  readonly gain: GainNode;
  readonly pan?: StereoPannerNode;
  readonly end: AudioNode;
}

/** All voices in one lane, for recordings without separate channels. */
function mixedLane(context: AudioContext, source: AudioNode, voice: Voice | undefined): Lane {
  const gain = context.createGain();
  source.connect(gain);
  return { voice, gain, end: gain };
}

function separateLanes(context: AudioContext, source: AudioNode, voices: readonly Voice[]): Lane[] {
  const splitter = context.createChannelSplitter(2);
  source.connect(splitter);
  return voices.map((voice) => {
    const gain = context.createGain();
    const pan = context.createStereoPanner();
    splitter.connect(gain, voice.channel === "right" ? 1 : 0).connect(pan);
    return { voice, gain, pan, end: pan };
  });
}
