import { z } from "zod";
import { text } from "./text.ts";
import { Email } from "./users.ts";

export const metadataLimits = { entries: 100, key: 128, value: 1024, bytes: 64 * 1024 } as const;

export const MetadataKey = text(1, metadataLimits.key).meta({ example: "site" });
export const MetadataValue = text(0, metadataLimits.value).meta({ example: "Lyon" });

export const Metadata = z
  .array(
    z.strictObject(
      { key: MetadataKey, value: MetadataValue },
      'each entry must be an object with exactly the members "key" and "value"',
    ),
    'must be an array of {"key": …, "value": …} objects',
  )
  .max(metadataLimits.entries, `must have at most ${metadataLimits.entries} entries`);
export type Metadata = z.output<typeof Metadata>;

const jsonText = z.string().transform((value, ctx) => {
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/,? ?"[\s\S]*"/, "") : "";
    ctx.addIssue({ code: "custom", message: `must be JSON text: an array of {"key": …, "value": …} objects (${why})` });
    return z.NEVER;
  }
});

const earliest = Date.UTC(2000, 0, 1) / 1000;
const day = 24 * 60 * 60;

function whySecondsAreWrong(value: string, now: number): { code: string; message: string } | undefined {
  const bounds = `from ${earliest} (2000-01-01) to one day ahead of now`;
  const wrong = (code: string, message: string) => ({ code, message });
  if (/^[1-9]\d*$/.test(value)) {
    const seconds = Number(value);
    if (seconds >= earliest && seconds <= now + day) return undefined;
    const inSeconds = Math.floor(seconds / 1000);
    if (value.length === 13 && inSeconds >= earliest && inSeconds <= now + day)
      return wrong(
        "milliseconds",
        `must be in seconds: send ${inSeconds} instead of ${value}, which is in milliseconds`,
      );
    if (seconds > now + day && seconds < 1e11)
      return wrong("in_the_future", `must be Unix time in seconds, ${bounds}: ${value} is ${iso(seconds)}`);
    return wrong("out_of_range", `must be Unix time in seconds, ${bounds}`);
  }
  if (/^\s*[+-]?\d+([.,]\d*)?\s*$/.test(value)) {
    const whole = Math.floor(Number(value.replace(",", ".")));
    const send = whole >= earliest && whole <= now + day ? `: send ${whole}` : "";
    return wrong("not_an_integer", `must be an integer number of seconds, digits only${send}`);
  }
  const sent = JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  return wrong("not_unix_time", `must be Unix time in seconds, such as 1714557600, and is ${sent}${suggestion(value)}`);
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

function suggestion(words: string): string {
  if (words.length > 64 || !/\d/.test(words)) return "";
  const hasZone = /(z|[+-]\d\d:?\d\d|gmt|utc)\s*$/i.test(words);
  // Without a zone the same words are another moment in every country: show the reading as UTC, as no more than that.
  const at = Date.parse(hasZone ? words : `${words.trim()}Z`) || Date.parse(hasZone ? words : `${words} UTC`);
  if (Number.isNaN(at)) return "";
  const seconds = Math.floor(at / 1000);
  return hasZone ? `: send ${seconds}` : `: the date has no time zone; if it is in UTC, send ${seconds}`;
}

/** Unix time in seconds, as text. Its errors say which value to send. */
const UnixSeconds = z.string().transform((value, ctx) => {
  const wrong = whySecondsAreWrong(value, Date.now() / 1000);
  if (!wrong) return Number(value);
  ctx.addIssue({ code: "custom", message: wrong.message, params: { code: wrong.code } });
  return z.NEVER;
});

/** The text parts of an import. Every value arrives as text, whatever it means. */
export const ImportCallFields = z.object({
  campaign_id: text(1, 100),
  conversation_timestamp: UnixSeconds,
  agent_email: Email,
  metadata: z.string().pipe(jsonText).pipe(Metadata).default([]),
});
export type ImportCallFields = z.output<typeof ImportCallFields>;

/** The form as documented: what a client sends. */
export const ImportCallForm = z
  .object({
    file: z.string().meta({
      format: "binary",
      description:
        "The recording: WAV (PCM, µ-law, A-law, GSM 6.10, ADPCM), MP3, M4A/AAC, Ogg/Opus, FLAC, AMR, WebM or AU. Its content decides, not its name.",
    }),
    campaign_id: z.string().meta({ maxLength: 100, example: "support-fr" }),
    conversation_timestamp: z
      .int()
      .meta({ description: "Unix time in seconds, from 2000-01-01 to one day ahead of now.", example: 1714557600 }),
    agent_email: z.string().meta({ format: "email", maxLength: 254, example: "ann@example.com" }),
    metadata: z.string().optional().meta({
      description:
        "JSON text: an array of at most 100 objects with exactly the string members key (1 to 128 characters) and value (up to 1,024). Order and repeated keys are kept.",
      maxLength: metadataLimits.bytes,
      example: '[{"key":"client_phone","value":"+33123456789"},{"key":"call_direction","value":"inbound"}]',
    }),
  })
  .meta({
    id: "ImportCall",
    examples: [
      {
        file: "@call.wav",
        campaign_id: "support-fr",
        conversation_timestamp: 1714557600,
        agent_email: "ann@example.com",
        metadata: '[{"key":"client_phone","value":"+33123456789"}]',
      },
    ],
  });

/** What an import may be told beside the form. */
export const ImportCallQuery = z.strictObject({
  dry_run: z
    .enum(["true", "false"], "must be true or false")
    .optional()
    .meta({ description: "true: everything is checked and answered as in an import, and nothing is stored." }),
});

export const callStatuses = ["received", "ready", "failed"] as const;
export type CallStatus = (typeof callStatuses)[number];

/** Why a call failed, for programs. docs/calls.md explains each; a name once given never changes its meaning. */
export const failureCodes = [
  "recording_undecodable",
  "recording_too_long",
  "recording_too_costly",
  "recording_missing",
  "preparation_abandoned",
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** What a person should know before trusting a call. docs/calls.md explains each. */
export const callWarningCodes = [
  "channels_identical",
  "side_silent",
  "nothing_but_silence",
  "cut_short",
  "damaged",
  "channels_mixed",
  "preparation_delayed",
] as const;
export type CallWarningCode = (typeof callWarningCodes)[number];

export const layouts = ["mono", "dual", "dual_identical", "one_silent"] as const;
export type Layout = (typeof layouts)[number];

export const Channel = z.enum(["left", "right"]);
export type Channel = z.output<typeof Channel>;

const Failure = z.object({
  code: z.string().meta({ example: "recording_undecodable" }),
  detail: z.string().meta({ description: "For a person: what is wrong and how to mend it." }),
});

/** What is told of a call wherever one is. */
export const callMembers = {
  id: z.uuid().meta({ description: "The same call always has the same id, however often it is imported." }),
  status: z.enum(callStatuses).meta({ description: "received, then ready (it can be heard) or failed." }),
  campaign_id: z.string(),
  agent: z.object({ id: z.uuid(), email: z.string(), name: z.string() }),
  conversation_timestamp: z.int(),
  conversation_time: z.iso.datetime(),
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
  recording: z.object({
    format: z.enum(["wav", "mp3", "m4a", "aac", "ogg", "flac", "amr", "webm", "au"]),
    bytes: z.int(),
    sha256: z.string().meta({ description: "Of the bytes as sent, in hexadecimal." }),
    codec: z.string().nullable(),
    channels: z.int().nullable(),
    sample_rate: z.int().nullable(),
    duration_ms: z.int().nullable(),
  }),
  failure: Failure.optional(),
  warnings: z.array(z.object({ code: z.string(), detail: z.string(), part: z.string().optional() })),
  created_at: z.iso.datetime(),
};

/** What an import answers. */
export const CallBody = z
  .object({
    ...callMembers,
    status: z
      .enum([...callStatuses, "erased"])
      .meta({ description: "received, then ready or failed. erased: it was erased on request; nothing was stored." }),
    created_at: z.iso.datetime().nullable().meta({ description: "null where the call was erased." }),
    duplicate: z.boolean().meta({ description: "true: this call was imported before; nothing was stored." }),
    dry_run: z
      .literal(true)
      .optional()
      .meta({ description: "With `dry_run=true`: this is what would be answered; nothing was stored." }),
  })
  .meta({ id: "Call" });
export type CallBody = z.output<typeof CallBody>;

/** One voice of the conversation, by name. */
const Side = z.object({
  side: z.enum(["agent", "customer", "left", "right", "mixed"]).meta({
    description: "agent and customer where it is known who is on which channel; mixed where both are on one.",
  }),
  channel: z.enum(["left", "right", "both"]),
  talk_ms: z.int(),
  talk_ratio: z.number().meta({ description: "Talk time as a part of the call's duration." }),
  loudness_lufs: z.number().nullable().meta({ description: "Integrated loudness (BS.1770); null: silent." }),
});

const Step = z.object({
  step: z.enum(["prepare"]),
  state: z.enum(["waiting", "running", "done", "failed"]),
  attempts: z.int(),
  reason: Failure.optional().meta({ description: "Why it failed, or why it is tried again." }),
  since: z.iso.datetime().meta({ description: "When it came into this state." }),
});

export const AgentChannel = z.object({
  value: z.enum(["left", "right", "unknown"]),
  from: z.enum(["call", "campaign"]).meta({ description: "Corrected for this call, or as its campaign says." }),
});

/** A call with everything that is known about it. */
export const CallDetailBody = z
  .object({
    ...callMembers,
    agent_channel: AgentChannel,
    audio: z
      .object({
        layout: z.enum(layouts),
        sides: z.array(Side),
        overtalk_ms: z.int().nullable().meta({ description: "Both talk at once; null where sides cannot be told." }),
        silence_ms: z.int().meta({ description: "Nobody talks." }),
        silence_ratio: z.number(),
        longest_silence_ms: z.int(),
        playback: z.object({ url: z.string(), media_type: z.string(), bytes: z.int() }),
        waveform: z.object({ url: z.string(), bytes: z.int() }),
        speech: z.object({ url: z.string() }),
      })
      .nullable()
      .meta({ description: "null until the call is ready." }),
    steps: z.array(Step),
  })
  .meta({ id: "CallDetail" });
export type CallDetailBody = z.output<typeof CallDetailBody>;

/** When somebody speaks, on each side: pairs of milliseconds from the beginning, in order. */
export const SpeechBody = z
  .object({
    sides: z.array(
      z.object({
        side: Side.shape.side,
        channel: Side.shape.channel,
        turns: z.array(z.tuple([z.int(), z.int()])),
      }),
    ),
  })
  .meta({ id: "Speech" });
export type SpeechBody = z.output<typeof SpeechBody>;
