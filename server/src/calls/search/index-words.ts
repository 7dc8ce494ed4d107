import type { Db } from "../../platform/database/database.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import type { ChannelOrBoth } from "../call/measured-audio.ts";
import { wordsLanguage, wordsOfText } from "./words-of-text.ts";

export interface SpokenWords {
  readonly workspaceId: string;
  readonly callId: string;
  /** Such as en or fr-CA. */
  readonly language: string;
  /** What each side said. A side that said nothing may be missing. */
  readonly sides: readonly { readonly channel: ChannelOrBoth; readonly text: string }[];
}

/**
 * A tsvector keeps 256 positions of a word, and none after 16,383. A side with more words than a part, which is about twenty
 * minutes of speech, has one row without positions and one for each part. The parts overlap, so that a phrase is in one of them.
 */
const partWords = 2_000;
/** How often a part has the same word. Words with the same stem share the positions, hence not 256. */
const mostRepetitions = 150;
/** As many words as a search may have (SaidQuery). */
const overlapWords = 100;
/** More than anyone says in a day. Bounds the work of one call, and its pairs to 0.6 MB; the words after it are not found. */
const mostWords = 100_000;

interface Row {
  readonly channel: ChannelOrBoth;
  readonly part: number;
  readonly parts: number;
  readonly text: string;
}

function rowsOf({ sides }: SpokenWords): Row[] {
  const spoken = Map.groupBy(sides, ({ channel }) => channel);
  return [...spoken].flatMap(([channel, texts]) => {
    const words = texts.flatMap(({ text }) => wordsOfText(text)).slice(0, mostWords);
    if (words.length === 0) return [];
    const parts = partsOf(words);
    if (parts.length === 1) return [{ channel, part: 0, parts: 0, text: words.join(" ") }];
    return [
      { channel, part: 0, parts: parts.length, text: differentWords(words) },
      ...parts.map((part, index) => ({ channel, part: index + 1, parts: parts.length, text: part.join(" ") })),
    ];
  });
}

function partsOf(words: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let start = 0, end = 0; end < words.length; start = end - overlapWords) {
    const counts = new Map<string, number>();
    let most = 0;
    for (end = start; end < words.length && end - start < partWords && most < mostRepetitions; end++) {
      const word = words[end] ?? "";
      const count = (counts.get(word) ?? 0) + 1;
      counts.set(word, count);
      most = Math.max(most, count);
    }
    parts.push(words.slice(start, end));
  }
  return parts;
}

/** A tsvector has at most 1 MB of letters and positions, pairs included. Far more than the words that anyone uses. */
const mostLetters = 250_000;

/** Each word once, because the order does not matter in a row without positions. */
function differentWords(words: readonly string[]): string {
  const text = [...new Set(words)].join(" ");
  return Buffer.from(text).subarray(0, mostLetters).toString("utf8");
}

/** Makes a call findable by what was said. Replaces what was indexed before. */
export async function indexWords(tx: Db, spoken: SpokenWords): Promise<void> {
  const { workspaceId, callId } = spoken;
  await removeWords(tx, spoken);
  const rows = rowsOf(spoken);
  if (rows.length === 0) return;
  const language = wordsLanguage(spoken.language);
  // Insert it only if it is missing: an insert that conflicts would lock the workspace's row for every call.
  await preparedStatement(tx, "add-words-language")`
    insert into words_language (workspace_id, language) select ${workspaceId}::uuid, ${language}::text
    where not exists (select from words_language where workspace_id = ${workspaceId}::uuid and language = ${language}::text)
    on conflict do nothing`;
  await preparedStatement(tx, "insert-words")`
    with spoken as materialized (
      select row.*, to_tsvector(('said_' || ${language}::text)::regconfig, row.text) as words
      from unnest(${rows.map(({ channel }) => channel)}::text[], ${rows.map(({ part }) => part)}::smallint[],
        ${rows.map(({ parts }) => parts)}::smallint[], ${rows.map(({ text }) => text)}::text[])
        as row (channel, part, parts, text)
    )
    insert into call_words (workspace_id, call_id, channel, part, parts, words)
    select ${workspaceId}::uuid, ${callId}::uuid, channel, part, parts,
      case when part = 0 and parts > 0 then strip(words) || array_to_tsvector(array(
        select pair from spoken as piece, unnest(said_pairs(piece.words)) as pair
        where piece.channel = spoken.channel and piece.part > 0
      )) else words end
    from spoken`;
}

/** Removes the words of a call: it is no longer found by what was said. */
export async function removeWords(
  tx: Db,
  { workspaceId, callId }: Pick<SpokenWords, "workspaceId" | "callId">,
): Promise<void> {
  await tx.deleteFrom("callWords").where("workspaceId", "=", workspaceId).where("callId", "=", callId).execute();
}
