/** The two filters of BS.1770 K-weighting: a high shelf that models the head, and a high-pass. */
export interface Weighting {
  readonly shelf: Biquad;
  readonly highPass: Biquad;
}

interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/** Filters for any sample rate, from the analogue prototypes of the standard's coefficients for 48 kHz. */
export function kWeighting(sampleRate: number): Weighting {
  return { shelf: shelf(sampleRate), highPass: highPass(sampleRate) };
}

function shelf(sampleRate: number): Biquad {
  const gain = 10 ** (3.999843853973347 / 20);
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const vb = gain ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (gain + (vb * k) / q + k * k) / a0,
    b1: (2 * (k * k - gain)) / a0,
    b2: (gain - (vb * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function highPass(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}

const offset = -0.691;
const absoluteGate = -70;
const relativeGate = -10;
const binsPerUnit = 10;
const maxLoudness = 10;

const loudnessOf = (meanSquare: number) => offset + 10 * Math.log10(meanSquare);

export interface LoudnessMeter {
  /** Adds the weighted mean square of the next 100 ms. */
  write(meanSquare: number): void;
  /** Integrated loudness in LUFS. Null if everything is below the absolute gate. */
  end(): number | null;
}

/** Integrated loudness with both gates of BS.1770, in constant memory: a histogram of block loudness. */
export function meterLoudness(): LoudnessMeter {
  const blocks = (maxLoudness - absoluteGate) * binsPerUnit;
  const counts = new Float64Array(blocks);
  const energies = new Float64Array(blocks);
  const recent: number[] = [];

  function meanAbove(gate: number): number {
    let count = 0;
    let energy = 0;
    const first = Math.max(0, Math.ceil((gate - absoluteGate) * binsPerUnit));
    for (let bin = first; bin < blocks; bin++) {
      count += counts[bin] ?? 0;
      energy += energies[bin] ?? 0;
    }
    return count === 0 ? 0 : energy / count;
  }

  return {
    write(meanSquare) {
      recent.push(meanSquare);
      if (recent.length < 4) return;
      // A block is 400 ms long and overlaps the previous one by 75%.
      const block = recent.reduce((sum, value) => sum + value, 0) / 4;
      recent.shift();
      const level = loudnessOf(block);
      if (!(level > absoluteGate)) return;
      const bin = Math.min(blocks - 1, Math.floor((level - absoluteGate) * binsPerUnit));
      counts[bin] = (counts[bin] ?? 0) + 1;
      energies[bin] = (energies[bin] ?? 0) + block;
    },
    end() {
      const ungated = meanAbove(absoluteGate);
      if (ungated === 0) return null;
      const gated = meanAbove(loudnessOf(ungated) + relativeGate);
      return Math.round(loudnessOf(gated) * 10) / 10;
    },
  };
}
