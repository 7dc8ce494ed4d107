import { isDeepStrictEqual } from "node:util";
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
import { correctionLimitReached, transcriptChanged } from "./errors.ts";
import { findSensitive, type MaskOptions, type SensitivePart } from "./masking/find-sensitive.ts";
import { MaskingTimeout } from "./masking/masking-slices.ts";
import type { SpokenWord } from "./masking/tokens.ts";
import { applyCorrections, type CorrectedTurn, type Correction, readCorrections } from "./read/corrections.ts";
import { type FoundTranscript, findRow, findTranscript } from "./read/find-transcript.ts";
import { textsOfSides } from "./spoken-sides.ts";
import { readTranscriptionSettings, type TranscriptionSettings } from "./steps/transcription-settings.ts";
import type { TranscriptTurn } from "./transcript.ts";

export interface CorrectionInput {
  readonly turn: number;
  readonly word: number;
  readonly text: string | null;
}

/** A transcript has at most so many corrections, including former ones. */
const mostCorrections = 20_000;

/** While others correct the same transcript, the check for card numbers begins again so often. */
const mostAttempts = 5;

/** Corrects words of a transcript. Nothing is overwritten: the engine's words and former corrections stay. */
export async function correctTranscript(
  app: App,
  caller: Caller,
  callId: string,
  { transcriptId, corrections }: { readonly transcriptId: string; readonly corrections: readonly CorrectionInput[] },
): Promise<FoundTranscript> {
  const { call, transcript, heard } = await findTranscript(app, caller, callId);
  if (transcript.id !== transcriptId) throw transcriptChanged();
  requirePlaces(heard, corrections);
  const place = { workspaceId: caller.workspaceId, callId: call.id, transcriptId };
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const known = await inWorkspace(app, caller.workspaceId, async (tx) => ({
      ...(await readState(tx, place, call.campaignId)),
      former: await readCorrections(tx, place),
    }));
    const author = actorOf(caller);
    const by = { authorType: author.type, authorId: author.id ?? "", at: new Date() };
    const added = corrections.map((correction) => ({ ...correction, ...by }));
    // The latest of a word counts.
    const turns = applyCorrections(heard, [...known.former, ...added]);
    // Before the transaction that stores them, because it takes its time.
    if (known.settings.masking !== "off")
      await requireNothingSensitive(turns, corrections, { ...known.settings.also, language: transcript.language });
    const stored = await storeCorrections(app, caller, { place, known, added, turns });
    if (stored) return { ...stored, heard, turns };
  }
  throw transcriptChanged();
}

interface CorrectionState {
  /** Corrections of the transcript, including former ones. They are never removed. */
  readonly count: number;
  readonly settings: TranscriptionSettings;
}

async function readState(tx: Db, place: Place, campaignId: string): Promise<CorrectionState> {
  const count = await countCorrections(tx, place);
  return { count, settings: await readTranscriptionSettings(tx, place.workspaceId, campaignId) };
}

interface CheckedCorrections {
  readonly place: Place;
  readonly known: CorrectionState;
  readonly added: readonly Correction[];
  readonly turns: readonly CorrectedTurn[];
}

/** Returns undefined if another user corrected the transcript, or settings changed, since the corrections were checked. */
async function storeCorrections(
  app: App,
  caller: Caller,
  { place, known, added, turns }: CheckedCorrections,
): Promise<Pick<FoundTranscript, "call" | "transcript"> | undefined> {
  const { workspaceId, callId, transcriptId } = place;
  const sides = textsOfSides(turns);
  return inWorkspace(app, workspaceId, async (tx) => {
    // Locked, so that corrections happen one after the other and the call cannot be erased meanwhile.
    const call = await lockVisibleCall(tx, caller, callId);
    const transcript = await findRow(tx, call);
    if (transcript?.id !== transcriptId) throw transcriptChanged();
    const { count, settings } = await readState(tx, place, call.campaignId);
    if (count !== known.count || !isDeepStrictEqual(settings, known.settings)) return undefined;
    if (count + added.length > mostCorrections) throw correctionLimitReached();
    await insertCorrections(tx, place, added);
    await indexWords(tx, { workspaceId, callId, language: transcript.language, sides });
    await recordAuditEntry(tx, workspaceId, {
      actor: actorOf(caller),
      action: "call.transcript_corrected",
      subject: { type: "call", id: callId },
      data: { transcript_id: transcriptId, words: added.length },
    });
    return { call, transcript };
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
async function requireNothingSensitive(
  turns: readonly CorrectedTurn[],
  corrections: readonly CorrectionInput[],
  options: MaskOptions,
): Promise<void> {
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
  for (const part of await find(words, options)) {
    for (const index of part.words) {
      const entry = words[index]?.entry;
      if (entry !== undefined) refused.add(entry);
    }
  }
  if (refused.size === 0) return;
  const what = "is part of a card number or of something else that is masked in this campaign";
  throw fieldsInvalid([...refused].sort((a, b) => a - b).map((index) => issueOf(index, "sensitive", what)));
}

async function find(words: readonly SpokenWord[], options: MaskOptions): Promise<readonly SensitivePart[]> {
  try {
    return await findSensitive(words, options);
  } catch (error) {
    if (!(error instanceof MaskingTimeout)) throw error;
    const detail = "corrections could not be checked for card numbers in time. Send fewer of them at a time.";
    throw fieldsInvalid([{ part: "corrections", code: "unchecked", detail }]);
  }
}

interface Place {
  readonly workspaceId: string;
  readonly callId: string;
  readonly transcriptId: string;
}

async function countCorrections(tx: Db, { workspaceId, callId, transcriptId }: Place): Promise<number> {
  const { count } = await tx
    .selectFrom("transcriptCorrection")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .where("transcriptId", "=", transcriptId)
    .executeTakeFirstOrThrow();
  return Number(count);
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
