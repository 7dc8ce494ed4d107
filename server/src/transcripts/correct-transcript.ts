import type { Issue } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { lockVisibleCall } from "../calls/call/find-call.ts";
import { indexWords } from "../calls/search/index-words.ts";
import { actorOf } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { fieldsInvalid } from "../platform/errors.ts";
import { applyCorrections, type CorrectedTurn, type Correction, readCorrections } from "./corrections.ts";
import { correctionLimitReached, transcriptChanged } from "./errors.ts";
import { type FoundTranscript, findRow, findTranscript } from "./find-transcript.ts";
import { findSensitive } from "./masking/find-sensitive.ts";
import { textsOfSides } from "./spoken-sides.ts";
import type { TranscriptTurn } from "./transcript.ts";
import { readTranscriptionSettings } from "./transcription-settings.ts";

export interface CorrectionInput {
  readonly turn: number;
  readonly word: number;
  readonly text: string | null;
}

/** A transcript has at most so many corrections, including former ones. */
const mostCorrections = 20_000;

/** Corrects words of a transcript. Nothing is overwritten: the engine's words and former corrections stay. */
export async function correctTranscript(
  app: App,
  caller: Caller,
  callId: string,
  { transcriptId, corrections }: { readonly transcriptId: string; readonly corrections: readonly CorrectionInput[] },
): Promise<FoundTranscript> {
  const { workspaceId } = caller;
  const author = actorOf(caller);
  const { transcript: read, heard } = await findTranscript(app, caller, callId);
  if (read.id !== transcriptId) throw transcriptChanged();
  requirePlaces(heard, corrections);
  return inWorkspace(app, workspaceId, async (tx) => {
    // Locked, so that corrections happen one after the other and the call cannot be erased meanwhile.
    const call = await lockVisibleCall(tx, caller, callId);
    const transcript = await findRow(tx, call);
    if (transcript?.id !== transcriptId) throw transcriptChanged();
    const place = { workspaceId, callId: call.id, transcriptId };
    const former = await readCorrections(tx, place);
    const at = new Date();
    const added = corrections.map((correction) => ({
      ...correction,
      authorType: author.type,
      authorId: author.id ?? "",
      at,
    }));
    // The latest of a word counts.
    const turns = applyCorrections(heard, [...former, ...added]);
    const settings = await readTranscriptionSettings(tx, workspaceId, call.campaignId);
    if (settings.masking !== "off")
      requireNothingSensitive(turns, corrections, { ...settings.also, language: transcript.language });
    await requireRoom(tx, place, added.length);
    await insertCorrections(tx, place, added);
    await indexWords(tx, { workspaceId, callId: call.id, language: transcript.language, sides: textsOfSides(turns) });
    await recordAuditEntry(tx, workspaceId, {
      actor: author,
      action: "call.transcript_corrected",
      subject: { type: "call", id: call.id },
      data: { transcript_id: transcriptId, words: added.length },
    });
    return { call, transcript, heard, turns };
  });
}

const issueOf = (index: number, code: string, what: string): Issue => ({
  part: "corrections",
  code,
  detail: `corrections, entry ${index + 1}, ${what}.`,
});

/** Throws unless each correction names another word that exists and is not masked. */
function requirePlaces(turns: readonly TranscriptTurn[], corrections: readonly CorrectionInput[]): void {
  const named = new Set<string>();
  const issues = corrections.flatMap(({ turn, word }, index) => {
    const found = turns[turn]?.words[word];
    if (!found) return [issueOf(index, "not_found", "names a word that the transcript does not have")];
    if (found.mask) return [issueOf(index, "masked", "names a masked part, which cannot be corrected")];
    const place = `${turn}.${word}`;
    if (named.has(place)) return [issueOf(index, "repeated", "names the same word as another entry")];
    named.add(place);
    return [];
  });
  if (issues.length > 0) throw fieldsInvalid(issues);
}

const aCard = "0".repeat(16);

/**
 * Throws if a corrected word is part of a card number or of something else that is masked. Reads the whole transcript, because
 * a number may be completed word by word.
 */
function requireNothingSensitive(
  turns: readonly CorrectedTurn[],
  corrections: readonly CorrectionInput[],
  options: Parameters<typeof findSensitive>[1],
): void {
  const entryOf = new Map(corrections.map(({ turn, word }, index) => [`${turn}.${word}`, index]));
  const words = turns
    .flatMap(({ channel, words: said }, turn) =>
      said.flatMap(({ text, startMs, endMs, mask }, word) => {
        // Stands for the digits that were removed, so that a security code beside them is recognised.
        const texts = mask === "card_number" ? [aCard] : text.split(/\s+/);
        const stepMs = (endMs - startMs) / texts.length;
        return texts.map((part, index) => ({
          side: channel,
          text: part,
          startMs: startMs + index * stepMs,
          endMs: startMs + (index + 1) * stepMs,
          entry: entryOf.get(`${turn}.${word}`),
        }));
      }),
    )
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const refused = new Set<number>();
  for (const part of findSensitive(words, options)) {
    for (const index of part.words) {
      const entry = words[index]?.entry;
      if (entry !== undefined) refused.add(entry);
    }
  }
  if (refused.size === 0) return;
  const what = "is part of a card number or of something else that is masked in this campaign";
  throw fieldsInvalid([...refused].sort((a, b) => a - b).map((index) => issueOf(index, "sensitive", what)));
}

interface Place {
  readonly workspaceId: string;
  readonly callId: string;
  readonly transcriptId: string;
}

async function requireRoom(tx: Db, { workspaceId, callId, transcriptId }: Place, more: number): Promise<void> {
  const { count } = await tx
    .selectFrom("transcriptCorrection")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .where("transcriptId", "=", transcriptId)
    .executeTakeFirstOrThrow();
  if (Number(count) + more > mostCorrections) throw correctionLimitReached();
}

/** Numbers the corrections of each word. The call is locked, so that no number is used twice. */
async function insertCorrections(tx: Db, place: Place, corrections: readonly Correction[]): Promise<void> {
  const { workspaceId, callId, transcriptId } = place;
  const rows = JSON.stringify(corrections.map(({ turn, word, text }) => ({ turn, word, text })));
  const { authorType, authorId, at } = corrections[0] as Correction;
  await sql`
    insert into transcript_correction (workspace_id, call_id, transcript_id, turn, word, number, text, author_type, author_id, at)
    select ${workspaceId}, ${callId}, ${transcriptId}, added.turn, added.word,
      1 + coalesce((
        select max(former.number) from transcript_correction as former
        where former.workspace_id = ${workspaceId} and former.call_id = ${callId} and former.transcript_id = ${transcriptId}
          and former.turn = added.turn and former.word = added.word
      ), 0), added.text, ${authorType}, ${authorId}, ${at}
    from jsonb_to_recordset(${rows}::jsonb) as added (turn integer, word integer, text text)`.execute(tx);
}
