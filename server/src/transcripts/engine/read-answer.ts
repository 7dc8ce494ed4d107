import { z } from "zod";
import { EngineError, type HeardWord } from "./engine.ts";

const seconds = z.number().min(0).max(86_400);
const probability = z.number().min(0).max(1).nullish();
/** If tokens make a longer word, it goes on in another one. */
const mostLettersOfWord = 500;
const word = z.object({
  word: z.string().max(mostLettersOfWord),
  start: seconds,
  end: seconds,
  probability,
  /** Name of the probability in some servers. */
  p: probability,
  /** Of whisper.cpp: the moment at which it heard the token, in hundredths of a second; -1 without its option --dtw. */
  t_dtw: z.number().min(-1).max(8_640_000).nullish(),
});
const segment = z.object({
  text: z.string().max(20_000).nullish(),
  start: seconds,
  end: seconds,
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  words: z.array(word).nullish(),
});
/** Of a sound of 30 seconds. */
const most = { words: 5_000, letters: 100_000 };
const answer = z.object({
  text: z.string().max(most.letters).nullish(),
  words: z.array(word).max(most.words).nullish(),
  segments: z.array(segment).max(2_000).nullish(),
});

/** Above this probability of silence, a segment was invented. */
const mostNoSpeech = 0.8;

/**
 * Reads the answer of a server in OpenAI's format. Words are at the top level (OpenAI), within the segments (whisper.cpp, as
 * tokens with leading spaces), or missing, in which case they are spread over their segment.
 */
export function readAnswer(json: unknown, durationMs: number): HeardWord[] {
  requireSpeakable(json);
  const parsed = answer.safeParse(json);
  if (!parsed.success) {
    // An answer can have thousands of issues.
    const first = new z.ZodError(parsed.error.issues.slice(0, 3));
    throw new EngineError(
      "engine_answer_invalid",
      `The transcription server's answer is not in the format verbose_json: ${z.prettifyError(first).slice(0, 300)}`,
    );
  }
  const { text, words, segments } = parsed.data;
  const spoken = (segments ?? []).filter((each) => (each.no_speech_prob ?? 0) <= mostNoSpeech);
  if (words?.length) return wordsOf(words);
  if (spoken.length > 0 && spoken.every(haveMoments)) return timeByMoments(spoken.flatMap(({ words }) => words ?? []));
  const found = spoken.flatMap((each) => (each.words?.length ? wordsOfSegment(each, each.words) : spread(each)));
  if (found.length > 0) return found;
  return segments?.length || !text?.trim() ? [] : spread({ text, start: 0, end: durationMs / 1000 });
}

/** Throws if there are more words than anyone says in 30 seconds. Before the schema, which would describe each of them. */
function requireSpeakable(json: unknown): void {
  const answered = Object(json) as { readonly words?: unknown; readonly segments?: unknown };
  const segments: unknown[] = Array.isArray(answered.segments) ? answered.segments : [];
  let [words, letters] = [0, 0];
  for (const part of [answered, ...segments]) {
    const { words: own, text } = Object(part) as { readonly words?: unknown; readonly text?: unknown };
    if (part !== answered && typeof text === "string") letters += text.length;
    if (!Array.isArray(own)) continue;
    words += own.length;
    for (const each of own) letters += String(Object(each).word ?? "").length;
  }
  if (words > most.words || letters > most.letters)
    throw new EngineError(
      "engine_answer_invalid",
      `The transcription server's answer has ${words} words and ${letters} letters for one sound. At most ${most.words} and ${most.letters} are accepted.`,
    );
}

type Answered = z.infer<typeof word>;
type Segment = z.infer<typeof segment>;

const ms = (value: number) => Math.round(value * 1000);

/** A word of tokens, and the moments of its first and last token that is not punctuation. */
interface JoinedWord {
  readonly word: HeardWord;
  readonly firstMs: number;
  readonly lastMs: number;
}

const isSpoken = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** True for a segment without text as well. */
const haveMoments = ({ text, words }: Segment) =>
  words?.length ? words.every(({ t_dtw: moment }) => (moment ?? -1) >= 0) : !text?.trim();

/** A word begins and ends at most so far from the moments of its tokens. */
const reachMs = { before: 250, after: 350 };
/** Where a word begins and ends between its moment and that of the word before or after it. Between the two, words may overlap. */
const share = { before: 0.4, after: 0.5 };

/** Moments are late within a word, but steady: in synthesised telephone speech, times from them are off by 50 ms (median). */
function timeByMoments(tokens: readonly Answered[]): HeardWord[] {
  const words = joinTokens(tokens);
  const timed = words.map(({ word, firstMs, lastMs }, at): HeardWord => {
    const [before, after] = [words[at - 1]?.lastMs ?? 0, words[at + 1]?.firstMs ?? Number.POSITIVE_INFINITY];
    const startMs = Math.max(firstMs - reachMs.before, before + (firstMs - before) * share.before, 0);
    const endMs = Math.min(lastMs + reachMs.after, lastMs + (after - lastMs) * share.after);
    return { ...word, startMs: Math.round(startMs), endMs: Math.round(Math.max(startMs, endMs)) };
  });
  return timed.flatMap(splitPhrase);
}

/** Segments of whisper.cpp begin and end up to this far from what they contain. */
const segmentErrorMs = 1_000;

/**
 * The words of a segment. The times of words from whisper.cpp, which always has `t_dtw`, are guesses: wrong by seconds if there are
 * pauses. They are used only if a moment is missing somewhere in the answer.
 */
function wordsOfSegment({ start, end }: Segment, tokens: readonly Answered[]): HeardWord[] {
  const words = wordsOf(tokens);
  if (tokens.every((token) => typeof token.t_dtw !== "number")) return words;
  const within = { startMs: Math.max(0, ms(start) - segmentErrorMs), endMs: ms(end) + segmentErrorMs };
  return words.map((word) => ({ ...word, within }));
}

const wordsOf = (tokens: readonly Answered[]) => joinTokens(tokens).flatMap(({ word }) => splitPhrase(word));

/** Joins tokens to words: a token that begins with a space begins a word. Without any spaces, each one is a word. */
function joinTokens(tokens: readonly Answered[]): JoinedWord[] {
  const areTokens = tokens.some(({ word: text }) => text.startsWith(" "));
  const words: JoinedWord[] = [];
  for (const { word: raw, start, end, probability: given, p, t_dtw: moment } of tokens) {
    const text = raw.trim();
    if (text === "") continue;
    const last = words.at(-1);
    const chance = given ?? p ?? null;
    const momentMs = (moment ?? 0) * 10;
    const fits = (last?.word.text.length ?? 0) + text.length <= mostLettersOfWord;
    if (areTokens && !raw.startsWith(" ") && last && fits) {
      const { word, firstMs, lastMs } = last;
      const probability = chance === null ? word.probability : Math.min(word.probability ?? 1, chance);
      words[words.length - 1] = {
        word: { ...word, text: word.text + text, endMs: Math.max(word.endMs, ms(end)), probability },
        firstMs: isSpoken(word.text) ? firstMs : momentMs,
        lastMs: isSpoken(text) ? momentMs : lastMs,
      };
      continue;
    }
    const endMs = Math.max(ms(start), ms(end));
    words.push({
      word: { text, startMs: ms(start), endMs, probability: chance },
      firstMs: momentMs,
      lastMs: momentMs,
    });
  }
  return words;
}

/** A word with spaces is several: masking reads word by word. */
function splitPhrase(word: HeardWord): HeardWord[] {
  if (!/\s/.test(word.text)) return [word];
  const { text, startMs, endMs, probability } = word;
  const parts = spread({ text, start: startMs / 1000, end: endMs / 1000 });
  return parts.map((part) => ({ ...part, probability }));
}

/** Spreads the words of a text over its time, by their length. */
function spread(segment: {
  readonly text?: string | null | undefined;
  readonly start: number;
  readonly end: number;
  readonly avg_logprob?: number | null | undefined;
}): HeardWord[] {
  const texts = (segment.text ?? "").split(/\s+/).filter((text) => text !== "");
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  const total = Math.max(0, segment.end - segment.start);
  const within = { startMs: ms(segment.start), endMs: ms(segment.end) };
  const probability = segment.avg_logprob == null ? null : Math.min(1, Math.exp(segment.avg_logprob));
  let before = 0;
  return texts.map((text) => {
    const startMs = ms(segment.start + (total * before) / length);
    before += text.length + 1;
    return { text, startMs, endMs: ms(segment.start + (total * before) / length), probability, within };
  });
}
