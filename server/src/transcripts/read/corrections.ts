import type { Db } from "../../platform/database/database.ts";
import type { TranscriptTurn, TranscriptWord } from "../transcript.ts";

/** What a person wrote instead of a word. */
export interface Correction {
  readonly turn: number;
  readonly word: number;
  /** Null: what the engine understood. */
  readonly text: string | null;
  readonly authorType: string;
  readonly authorId: string;
  readonly at: Date;
}

export interface CorrectedWord extends TranscriptWord {
  readonly correction?: { readonly original: string } & Pick<Correction, "authorType" | "authorId" | "at">;
}

export interface CorrectedTurn extends Omit<TranscriptTurn, "words"> {
  readonly words: readonly CorrectedWord[];
}

/** The latest correction of each word. */
export async function readCorrections(
  tx: Db,
  { workspaceId, callId, transcriptId }: { workspaceId: string; callId: string; transcriptId: string },
): Promise<Correction[]> {
  return tx
    .selectFrom("transcriptCorrection")
    .distinctOn(["turn", "word"])
    .select(["turn", "word", "text", "authorType", "authorId", "at"])
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .where("transcriptId", "=", transcriptId)
    .orderBy("turn")
    .orderBy("word")
    .orderBy("number", "desc")
    .execute();
}

const placeOf = ({ turn, word }: Pick<Correction, "turn" | "word">) => `${turn}.${word}`;

/** The transcript as people corrected it. Masked words stay masked. */
export function applyCorrections(
  turns: readonly TranscriptTurn[],
  corrections: readonly Correction[],
): readonly CorrectedTurn[] {
  if (corrections.length === 0) return turns;
  const byPlace = new Map(corrections.map((correction) => [placeOf(correction), correction]));
  return turns.map((turn, turnIndex) => ({
    ...turn,
    words: turn.words.map((word, wordIndex): CorrectedWord => {
      const found = byPlace.get(placeOf({ turn: turnIndex, word: wordIndex }));
      if (!found || found.text === null || word.mask) return word;
      const { text, authorType, authorId, at } = found;
      return { ...word, text, probability: null, correction: { original: word.text, authorType, authorId, at } };
    }),
  }));
}
