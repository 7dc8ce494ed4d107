/** One voice of the recording: on which channel, and how loud it was measured. */
export interface Voice {
  readonly channel: "left" | "right" | "both";
  readonly loudnessLufs: number | null;
}

export interface Hearing {
  readonly muted: ReadonlySet<Voice["channel"]>;
  /** Both voices equally loud, and what is sudden held back. */
  readonly evened: boolean;
  /** One voice in each ear instead of both in the middle. */
  readonly spread: boolean;
}

export interface Sound {
  apply(hearing: Hearing): void;
  /** A page may only sound once somebody has pressed something. */
  wake(): Promise<void>;
  close(): void;
}

const targetLufs = -20;
const mostDb = { up: 18, down: -12 };
/** So much of a change in level that no click is heard. */
const rampSeconds = 0.012;
/** What the compressor adds by itself to make up for what it takes, less a little. */
const afterCompressorDb = -6;

/** By how much a voice is turned up or down so that all are equally loud. */
export function evenedDb(loudnessLufs: number | null): number {
  if (loudnessLufs === null) return 0;
  return Math.max(mostDb.down, Math.min(mostDb.up, targetLufs - loudnessLufs));
}

const ratio = (db: number) => 10 ** (db / 20);

/** Takes over what the element plays: each voice by itself, then both together, evened or as they are. */
export function openSound(audio: HTMLMediaElement, voices: readonly Voice[]): Sound {
  const context = new AudioContext({ latencyHint: "interactive" });
  const source = context.createMediaElementSource(audio);
  const lanes = voices.some(({ channel }) => channel !== "both")
    ? apart(context, source, voices)
    : [whole(context, source, voices[0])];
  const evened = context.createGain();
  const plain = context.createGain();
  const compressor = new DynamicsCompressorNode(context, {
    ...{ threshold: -24, knee: 8, ratio: 3, attack: 0.005, release: 0.2 },
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
        const level = hearing.evened ? ratio(evenedDb(voice?.loudnessLufs ?? null)) : 1;
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

/** Everybody together: what is on one channel is heard in both ears. */
function whole(context: AudioContext, source: AudioNode, voice: Voice | undefined): Lane {
  const gain = context.createGain();
  source.connect(gain);
  return { voice, gain, end: gain };
}

function apart(context: AudioContext, source: AudioNode, voices: readonly Voice[]): Lane[] {
  const splitter = context.createChannelSplitter(2);
  source.connect(splitter);
  return voices.map((voice) => {
    const gain = context.createGain();
    const pan = context.createStereoPanner();
    splitter.connect(gain, voice.channel === "right" ? 1 : 0).connect(pan);
    return { voice, gain, pan, end: pan };
  });
}
