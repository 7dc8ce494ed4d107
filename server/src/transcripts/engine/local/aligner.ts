import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import createModule, { type Decoder, type Segment } from "soundswallower";
import { type HeardWord, sampleRate } from "../engine.ts";
import { guessPhones } from "./guess-phones.ts";
import { type SpokenForms, spokenForms } from "./spoken-forms.ts";

/** Finds when each word of an English text was said. */
export interface Aligner {
  /** Undefined if the text does not fit the sound. */
  align(samples: Float32Array, words: readonly string[]): HeardWord[] | undefined;
}

export async function openAligner(): Promise<Aligner> {
  const folder = dirname(fileURLToPath(import.meta.resolve("soundswallower")));
  const module = await createModule({ modelBase: `${join(folder, "model")}/` } as Partial<EmscriptenModule>);
  // Wide beams: the text is known, so that only its times are searched.
  const beams = { beam: 1e-100, wbeam: 1e-100, pbeam: 1e-100 };
  const decoder = new module.Decoder({ samprate: sampleRate, loglevel: "FATAL", ...beams });
  await decoder.initialize();
  return { align: (samples, words) => align(decoder, samples, words) };
}

function align(decoder: Decoder, samples: Float32Array, words: readonly string[]): HeardWord[] | undefined {
  const forms = words.map(spokenForms);
  const spoken = forms.filter((each) => each.length > 0);
  if (spoken.length === 0) return undefined;
  addMissing(decoder, spoken);
  let segments: readonly Segment[];
  try {
    decoder.set_grammar(grammarOf(spoken));
    decoder.start();
    decoder.process_audio(samples, false, true);
    decoder.stop();
    segments = decoder.get_alignment().w ?? [];
  } catch {
    return undefined;
  }
  const heard = segments
    .map((each) => ({ ...each, t: each.t.replace(/\(\d+\)$/, "") }))
    .filter(({ t }) => !/^[<[(]/.test(t));
  const lengths = matchForms(
    spoken,
    heard.map(({ t }) => t),
  );
  return lengths && joinForms(words, forms, heard, lengths);
}

/** Adds words that the dictionary does not have, such as names. */
function addMissing(decoder: Decoder, spoken: readonly SpokenForms[]): void {
  const missing = new Set(spoken.flat(2).filter((word) => decoder.lookup_word(word) === null));
  const entries = [...missing].map((word): [string, string] => [word, guessPhones(word)]);
  if (entries.length > 0) decoder.add_words(...entries);
}

function grammarOf(spoken: readonly SpokenForms[]): string {
  const parts = spoken.map((forms) => {
    const said = [...new Set(forms.map((form) => form.join(" ")))];
    return said.length === 1 ? said[0] : `(${said.join(" | ")})`;
  });
  return `#JSGF V1.0;\ngrammar transcript;\npublic <transcript> = ${parts.join(" ")};`;
}

/** How many of the heard words belong to each displayed one. */
function matchForms(spoken: readonly SpokenForms[], heard: readonly string[]): number[] | undefined {
  const dead = new Set<string>();
  const match = (at: number, from: number): number[] | undefined => {
    if (at === spoken.length) return from === heard.length ? [] : undefined;
    if (dead.has(`${at}:${from}`)) return undefined;
    for (const form of spoken[at] ?? []) {
      if (!form.every((word, index) => heard[from + index] === word)) continue;
      const after = match(at + 1, from + form.length);
      if (after) return [form.length, ...after];
    }
    dead.add(`${at}:${from}`);
    return undefined;
  };
  return match(0, 0);
}

const ms = (seconds: number) => Math.round(seconds * 1000);

function joinForms(
  words: readonly string[],
  forms: readonly SpokenForms[],
  heard: readonly Segment[],
  lengths: readonly number[],
): HeardWord[] {
  const joined: HeardWord[] = [];
  let from = 0;
  let spoken = 0;
  for (const [index, text] of words.entries()) {
    const last = joined.at(-1);
    if ((forms[index] ?? []).length === 0) {
      // A dash or another sign: it belongs to the word before it.
      if (last) joined[joined.length - 1] = { ...last, text: `${last.text} ${text}` };
      continue;
    }
    const length = lengths[spoken++] ?? 1;
    const parts = heard.slice(from, from + length);
    from += length;
    const first = parts[0];
    const end = parts.at(-1);
    if (!first || !end) continue;
    joined.push({ text, startMs: ms(first.b), endMs: ms(end.b + end.d), probability: null });
  }
  return joined;
}
