import { z } from "zod";
import { EngineError, type HeardWord } from "./engine.ts";

const seconds = z.number().min(0).max(86_400);
const probability = z.number().min(0).max(1).nullish();
const word = z.object({
  word: z.string().max(500),
  start: seconds,
  end: seconds,
  probability,
  /** Name of the probability in some servers. */
  p: probability,
});
const segment = z.object({
  text: z.string().max(20_000).nullish(),
  start: seconds,
  end: seconds,
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  words: z.array(word).max(5_000).nullish(),
});
const answer = z.object({
  text: z.string().max(100_000).nullish(),
  words: z.array(word).max(5_000).nullish(),
  segments: z.array(segment).max(2_000).nullish(),
});

/** Above this probability of silence, a segment was invented. */
const mostNoSpeech = 0.8;

/**
 * Reads the answer of a server in OpenAI's format. Words are at the top level (OpenAI), within the segments (whisper.cpp, as
 * tokens with leading spaces), or missing, in which case they are spread over their segment.
 */
export function readAnswer(json: unknown, durationMs: number): HeardWord[] {
  const parsed = answer.safeParse(json);
  if (!parsed.success)
    throw new EngineError(
      "engine_answer_invalid",
      `The transcription server's answer is not in the format verbose_json: ${z.prettifyError(parsed.error).slice(0, 300)}`,
    );
  const { text, words, segments } = parsed.data;
  const spoken = (segments ?? []).filter((each) => (each.no_speech_prob ?? 0) <= mostNoSpeech);
  if (words?.length) return joinTokens(words).flatMap(splitPhrase);
  const found = spoken.flatMap((each) =>
    each.words?.length ? joinTokens(each.words).flatMap(splitPhrase) : spread(each),
  );
  if (found.length > 0) return found;
  return segments?.length || !text?.trim() ? [] : spread({ text, start: 0, end: durationMs / 1000 });
}

type Answered = z.infer<typeof word>;

const ms = (value: number) => Math.round(value * 1000);

/** Joins tokens to words: a token that begins with a space begins a word. Without any spaces, each one is a word. */
function joinTokens(tokens: readonly Answered[]): HeardWord[] {
  const areTokens = tokens.some(({ word: text }) => text.startsWith(" "));
  const words: HeardWord[] = [];
  for (const { word: raw, start, end, probability: given, p } of tokens) {
    const text = raw.trim();
    if (text === "") continue;
    const last = words.at(-1);
    const chance = given ?? p ?? null;
    if (areTokens && !raw.startsWith(" ") && last)
      words[words.length - 1] = {
        text: last.text + text,
        startMs: last.startMs,
        endMs: Math.max(last.endMs, ms(end)),
        probability: chance === null ? last.probability : Math.min(last.probability ?? 1, chance),
      };
    else words.push({ text, startMs: ms(start), endMs: Math.max(ms(start), ms(end)), probability: chance });
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
