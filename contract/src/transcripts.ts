import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { SaidQuery, saidSides } from "./call-search.ts";
import { exampleCall } from "./calls.ts";
import { integerUpTo } from "./page.ts";
import { text } from "./text.ts";

/** Kinds of words that are masked, explained in docs/transcripts.md. */
export const maskKinds = [
  "card_number",
  "security_code",
  "expiry_date",
  "iban",
  "phone_number",
  "email",
  "word",
  "other",
] as const;
export type MaskKind = (typeof maskKinds)[number];

/** Why a transcription failed, explained in docs/transcripts.md. Stable: a code never changes its meaning. */
export const transcriptionFailureCodes = [
  "engine_unavailable",
  "engine_refused",
  "engine_answer_invalid",
  "engine_not_configured",
  "language_not_supported",
  "quota_exceeded",
  "recording_missing",
  "recording_corrupt",
  "masking_timeout",
  "transcription_abandoned",
] as const;
export type TranscriptionFailureCode = (typeof transcriptionFailureCodes)[number];

const side = z.enum(["agent", "customer", "left", "right", "mixed"]).meta({
  description:
    "agent and customer if the agent's channel is known, else left and right. mixed: both share one channel.",
});
const channel = z.enum(["left", "right", "both"]);
const ms = z.int().meta({ description: "Milliseconds from the start of the call." });

const TranscriptWord = z
  .object({
    text: z.string().meta({ description: "A word with its punctuation. Empty if it is masked." }),
    start_ms: ms,
    end_ms: ms,
    probability: z
      .number()
      .nullable()
      .meta({ description: "How sure the engine is, from 0 to 1. null: it does not say, or a person corrected it." }),
    uncertain: z.literal(true).optional().meta({ description: "Present if the engine is not sure of this word." }),
    mask: z.enum(maskKinds).optional().meta({ description: "What was masked: one or more words." }),
    correction: z
      .object({ original: z.string(), by: ActorRef, at: z.iso.datetime() })
      .optional()
      .meta({ description: "Present if a person corrected this word: what the engine understood, who and when." }),
  })
  .meta({ id: "TranscriptWord" });
export type TranscriptWord = z.output<typeof TranscriptWord>;

const TranscriptTurn = z
  .object({ side, channel, start_ms: ms, end_ms: ms, words: z.array(TranscriptWord) })
  .meta({ id: "TranscriptTurn" });
export type TranscriptTurn = z.output<typeof TranscriptTurn>;

export const TranscriptBody = z
  .object({
    id: z.uuid().meta({ description: "Changes when the call is transcribed again." }),
    call_id: z.uuid(),
    language: z.string(),
    engine: z.string().meta({ description: "local or server." }),
    model: z.string(),
    version: z.int().meta({ description: "Version of Hearback's processing." }),
    created_at: z.iso.datetime(),
    masked: z
      .record(z.string(), z.int())
      .meta({ description: "How many parts were masked, by kind: card_number, security_code and so on." }),
    sound_masked: z.boolean().meta({ description: "Whether the masked parts are silent in the playback copy, too." }),
    turns: z.array(TranscriptTurn).meta({ description: "In order of time." }),
  })
  .meta({
    id: "Transcript",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-5e8f7a6b1c2d",
        call_id: exampleCall.id,
        language: "en",
        engine: "local",
        model: "moonshine-base-en",
        version: 1,
        created_at: "2026-11-15T08:00:20.000Z",
        masked: { card_number: 1 },
        sound_masked: false,
        turns: [
          {
            side: "customer",
            channel: "right",
            start_ms: 5_120,
            end_ms: 11_900,
            words: [
              { text: "It's", start_ms: 5_120, end_ms: 5_400, probability: 0.97 },
              { text: "", start_ms: 5_450, end_ms: 11_900, probability: null, mask: "card_number" },
            ],
          },
        ],
      },
    ],
  });
export type TranscriptBody = z.output<typeof TranscriptBody>;

export const transcriptFormats = ["json", "vtt", "text"] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

export const GetTranscriptQuery = z.object({
  format: z
    .enum(transcriptFormats, `must be one of ${transcriptFormats.join(", ")}`)
    .optional()
    .meta({
      description: "Default: from the `Accept` header (application/json, text/vtt or text/plain), or else json.",
    }),
});

export const transcriptLimits = { corrections: 200, word: 100, wordsOfCorrection: 10, matches: 20 } as const;

const CorrectedText = text(1, transcriptLimits.word).refine(
  (value) => value.trim().split(/\s+/).length <= transcriptLimits.wordsOfCorrection,
  `must have at most ${transcriptLimits.wordsOfCorrection} words`,
);

const position = z.int("must be a whole number").min(0, "must not be negative").max(1_000_000, "is too large");

/** Corrections of words. The engine's words stay; masked parts cannot be corrected. */
export const CorrectTranscriptBody = z
  .strictObject({
    transcript_id: z.uuid("must be the id of the transcript").meta({
      description: "The `id` of the transcript that was read. 409 `transcript_changed` if it was made again meanwhile.",
    }),
    corrections: z
      .array(
        z.strictObject({
          turn: position.meta({ description: "Index of the turn." }),
          word: position.meta({ description: "Index of the word in the turn." }),
          text: CorrectedText.nullable().meta({
            description: `What was said, at most ${transcriptLimits.wordsOfCorrection} words. null: what the engine understood.`,
          }),
        }),
      )
      .min(1, "must have at least one entry")
      .max(transcriptLimits.corrections, `must have at most ${transcriptLimits.corrections} entries`),
  })
  .meta({
    id: "CorrectTranscript",
    examples: [
      {
        transcript_id: "0190f3c2-6c0b-7d6e-9b0e-5e8f7a6b1c2d",
        corrections: [{ turn: 0, word: 3, text: "Nguyen" }],
      },
    ],
  });

export const ListMatchesQuery = z.object({
  said: SaidQuery.meta({ description: "What was said, as in `GET /calls`." }),
  said_by: z.enum(saidSides, `must be one of ${saidSides.join(", ")}`).optional(),
  limit: integerUpTo(transcriptLimits.matches, 3),
});

export const TranscriptMatchesBody = z
  .object({
    matches: z.array(
      z.object({
        side,
        channel,
        start_ms: ms.meta({ description: "When the first word that was searched for was said." }),
        end_ms: ms,
        before: z.string().meta({ description: "Words before, at most about ten." }),
        text: z.string().meta({ description: "The words that were searched for, as they were said." }),
        after: z.string(),
      }),
    ),
  })
  .meta({
    id: "TranscriptMatches",
    examples: [
      {
        matches: [
          {
            side: "customer",
            channel: "right",
            start_ms: 42_180,
            end_ms: 43_300,
            before: "Hello, I would like to",
            text: "cancel my contract",
            after: "at the end of the month.",
          },
        ],
      },
    ],
  });
export type TranscriptMatchesBody = z.output<typeof TranscriptMatchesBody>;

/** Minutes of speech that were transcribed, by day: what an engine that is paid for charges. */
export const TranscriptionUsageBody = z
  .object({
    available: z.boolean().meta({ description: "false: the operator has not configured an engine." }),
    quota_minutes: z.int().nullable().meta({ description: "Minutes per day (UTC). null: no quota." }),
    days: z.array(
      z.object({
        day: z.iso.date(),
        calls: z.int(),
        minutes: z.number().meta({ description: "Minutes of speech that were sent to the engine." }),
      }),
    ),
  })
  .meta({
    id: "TranscriptionUsage",
    examples: [{ available: true, quota_minutes: 1_000, days: [{ day: "2026-11-15", calls: 412, minutes: 1_803.5 }] }],
  });
export type TranscriptionUsageBody = z.output<typeof TranscriptionUsageBody>;

export const TranscriptionUsageQuery = z.object({ days: integerUpTo(366, 31) });
