/** The parts of sherpa-onnx-node that are used; it has no types of its own. */
declare module "sherpa-onnx-node" {
  export interface Wave {
    readonly samples: Float32Array;
    readonly sampleRate: number;
  }

  export interface OfflineStream {
    acceptWaveform(wave: Wave): void;
  }

  export interface OfflineResult {
    readonly text: string;
    readonly tokens: readonly string[];
    /** Start of each token in seconds; empty with some models. */
    readonly timestamps: readonly number[];
  }

  export class OfflineRecognizer {
    constructor(config: Record<string, unknown>);
    createStream(): OfflineStream;
    decodeAsync(stream: OfflineStream): Promise<OfflineResult>;
  }

  export class Vad {
    constructor(config: Record<string, unknown>, bufferSeconds: number);
    acceptWaveform(samples: Float32Array): void;
    flush(): void;
    reset(): void;
    isEmpty(): boolean;
    front(enableExternalBuffer?: boolean): { readonly start: number; readonly samples: Float32Array };
    pop(): void;
  }
}
