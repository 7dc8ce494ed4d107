import type { ListMatchesQuery, TranscriptMatchesBody } from "@hearback/contract";
import type { z } from "zod";
import { agentChannelOf, sideName } from "../../calls/call/call-detail.ts";
import { findVisibleCall } from "../../calls/call/find-call.ts";
import type { ChannelOrBoth } from "../../calls/call/measured-audio.ts";
import { isPlaybackRecorded, recordPlayback } from "../../calls/playback/record-playback.ts";
import { termsOfSaid, wordsLanguage, wordsOfText } from "../../calls/search/words-of-text.ts";
import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import { type SideWord, wordsOfSides } from "../spoken-sides.ts";
import { applyCorrections, readCorrections } from "./corrections.ts";
import { findMatches, type Searched } from "./find-matches.ts";
import { findRow, readWords } from "./find-transcript.ts";

type Query = z.output<typeof ListMatchesQuery>;
type Side = NonNullable<Query["said_by"]>;

/** The sentences of a call in which it was said. None if the call has no transcript. Reading them is audited. */
export async function listMatches(
  app: App,
  caller: Caller,
  callId: string,
  query: Query,
): Promise<TranscriptMatchesBody> {
  const { workspaceId } = caller;
  const found = await inWorkspace(app, workspaceId, async (tx) => {
    const call = await findVisibleCall(tx, caller, callId);
    const transcript = await findRow(tx, call);
    if (!transcript) return undefined;
    const corrections = await readCorrections(tx, { workspaceId, callId: call.id, transcriptId: transcript.id });
    const recorded = await isPlaybackRecorded(tx, caller, { callId, form: "transcript" });
    return { call, transcript, corrections, recorded };
  });
  if (!found) return { matches: [] };
  const { call, transcript, corrections, recorded } = found;
  const turns = applyCorrections(await readWords(app, transcript), corrections);
  const agent = agentChannelOf(call).value;
  const sides = sidesOf(wordsOfSides(turns), query.said_by, agent);
  const searched = await inWorkspace(app, workspaceId, (tx) =>
    readLexemes(tx, workspaceId, transcript.language, sides, query),
  );
  const matches = findMatches(sides, searched);
  // A place without words tells that it was not said.
  if (!recorded) await recordPlayback(app, caller, { callId, form: "transcript" });
  return {
    matches: matches.map(({ channel, startMs, endMs, ...words }) => ({
      side: sideName(channel, agent),
      channel,
      start_ms: startMs,
      end_ms: endMs,
      ...words,
    })),
  };
}

type Sides = ReadonlyMap<ChannelOrBoth, readonly SideWord[]>;

function sidesOf(sides: Sides, asked: Side | undefined, agent: string | null): Sides {
  if (asked === undefined) return sides;
  const customer = agent === "left" ? "right" : agent === "right" ? "left" : null;
  const channel = asked === "agent" ? agent : asked === "customer" ? customer : asked;
  return new Map([...sides].filter(([of]) => of === channel));
}

/** Asks PostgreSQL for the stems, so that they are those of the index: of the transcript's words in its language, of the terms in all. */
async function readLexemes(
  tx: Db,
  workspaceId: string,
  language: string,
  sides: Sides,
  { said, limit }: Query,
): Promise<Searched> {
  const terms = termsOfSaid(said);
  const texts = new Set([...sides.values()].flatMap((words) => words.map(({ text }) => text)));
  const wordsByText = new Map([...texts].map((text) => [text, wordsOfText(text)]));
  const spoken = new Set([...wordsByText.values()].flat());
  const own = wordsLanguage(language);
  const rows = await preparedStatement<{ language: string; word: string; lexemes: string[] }>(tx, "read-lexemes")`
    select asked.language, asked.word, array(
      select lexeme from unnest(to_tsvector(('said_' || asked.language)::regconfig, asked.word)) order by positions[1]
    ) as lexemes
    from (
      select ${own}::text as language, word from unnest(${[...spoken]}::text[]) as word
      union select known.language, word from unnest(${terms.flat()}::text[]) as word cross join (
        select language from words_language where workspace_id = ${workspaceId}::uuid union select ${own}::text
      ) as known
    ) as asked`;
  const languages = [...new Set(rows.map((row) => row.language))];
  const lexemes = new Map(rows.map((row) => [`${row.language} ${row.word}`, row.lexemes]));
  const lexemesIn = (of: string, word: string) => lexemes.get(`${of} ${word}`) ?? [];
  const inLanguages = (words: readonly string[]) => {
    const phrases = languages.map((of) => words.flatMap((word) => lexemesIn(of, word)));
    return [...new Map(phrases.map((lexemes) => [lexemes.join(" "), lexemes])).values()].filter(
      ({ length }) => length > 0,
    );
  };
  return {
    terms: terms.map(inLanguages),
    lexemesOf: (text) => (wordsByText.get(text) ?? []).flatMap((word) => lexemesIn(own, word)),
    limit,
  };
}
