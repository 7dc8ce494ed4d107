import { earliestCallTime, latestCallTime } from "@hearback/portable/call-time";
import { z } from "zod";
import { correctEntry, correctMetadata, showCorrection, withDoubleQuotes } from "./correct-metadata.ts";
import { booleanParameter, exampleOf } from "./page.ts";
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

/** Metadata as JSON text. Error messages contain the corrected text where it can be guessed. */
const MetadataText = z.string().transform((text, ctx) => {
  const sent = jsonIn(text, ctx);
  if (sent === z.NEVER) return z.NEVER;
  const metadata = Metadata.safeParse(sent);
  if (metadata.success) return metadata.data;
  for (const issue of metadata.error.issues) {
    const [at] = issue.path;
    const entry = Array.isArray(sent) && typeof at === "number" ? correctEntry(sent[at]) : undefined;
    const corrected = at === undefined ? correctMetadata(sent) : entry;
    const isValid = corrected && Metadata.safeParse([corrected].flat()).success;
    const message = `${issue.message}${isValid ? showCorrection(corrected) : ""}`;
    ctx.issues.push({ ...issue, input: sent, message } as z.core.$ZodRawIssue);
  }
  return z.NEVER;
});

function jsonIn(text: string, ctx: z.core.$RefinementCtx): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/,? ?"[\s\S]*"/, "") : "";
    const corrected = correctMetadata(withDoubleQuotes(text));
    const isValid = corrected && Metadata.safeParse(corrected).success;
    ctx.addIssue({
      code: "custom",
      message: `must be JSON text: an array of {"key": …, "value": …} objects (${reason})${isValid ? showCorrection(corrected) : ""}`,
    });
    return z.NEVER;
  }
}

function unixSecondsError(value: string): { code: string; message: string } | undefined {
  const latest = latestCallTime();
  const bounds = `from ${earliestCallTime} (2000-01-01) to one day ahead of now`;
  const wrong = (code: string, message: string) => ({ code, message });
  if (/^(?:0|-?[1-9]\d*)$/.test(value)) {
    const seconds = Number(value);
    if (seconds >= earliestCallTime && seconds <= latest) return undefined;
    const inSeconds = Math.floor(seconds / 1000);
    if (value.length === 13 && inSeconds >= earliestCallTime && inSeconds <= latest)
      return wrong(
        "milliseconds",
        `must be in seconds: send ${inSeconds} instead of ${value}, which is in milliseconds`,
      );
    if (seconds > latest && seconds < 1e11)
      return wrong("in_the_future", `must be Unix time in seconds, ${bounds}: ${value} is ${iso(seconds)}`);
    const date = Math.abs(seconds) < 1e11 ? `: ${value} is ${iso(seconds)}` : "";
    const unset = seconds === 0 ? ", probably a time that was never set" : "";
    return wrong("out_of_range", `must be Unix time in seconds, ${bounds}${date}${unset}`);
  }
  if (/^\s*[+-]?\d+([.,]\d*)?\s*$/.test(value)) {
    const whole = Math.floor(Number(value.replace(",", ".")));
    const send = whole >= earliestCallTime && whole <= latest ? `: send ${whole}` : "";
    return wrong("not_an_integer", `must be an integer number of seconds, digits only${send}`);
  }
  const sent = JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  return wrong("not_unix_time", `must be Unix time in seconds, such as 1714557600; got ${sent}${suggestion(value)}`);
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

function suggestion(date: string): string {
  if (date.length > 64 || !/\d/.test(date)) return "";
  const hasZone = /(z|[+-]\d\d:?\d\d|gmt|utc)\s*$/i.test(date);
  // A date without a zone is ambiguous: suggest the UTC reading, and say so.
  const at = Date.parse(hasZone ? date : `${date.trim()}Z`) || Date.parse(hasZone ? date : `${date} UTC`);
  if (Number.isNaN(at)) return "";
  const seconds = Math.floor(at / 1000);
  return hasZone ? `: send ${seconds}` : `: the date has no time zone; if it is in UTC, send ${seconds}`;
}

/** Unix time in seconds, as text. Error messages suggest the value to send. */
const UnixSeconds = z.string().transform((value, ctx) => {
  const wrong = unixSecondsError(value);
  if (!wrong) return Number(value);
  ctx.addIssue({ code: "custom", message: wrong.message, params: { code: wrong.code } });
  return z.NEVER;
});

/** The text parts of an import form. Multipart values are always text. */
export const ImportCallFields = z.object({
  campaign_id: text(1, 100),
  conversation_timestamp: UnixSeconds,
  agent_email: Email,
  metadata: MetadataText.default([]),
});
export type ImportCallFields = z.output<typeof ImportCallFields>;

/** The import form for the OpenAPI document. */
export const ImportCallForm = z
  .object({
    file: z.string().meta({
      format: "binary",
      description:
        "The recording: WAV (PCM, µ-law, A-law, GSM 6.10, ADPCM), MP3, M4A/AAC, Ogg/Opus, FLAC, AMR, WebM or AU. The format is detected from the content, not the file name.",
    }),
    campaign_id: z.string().meta({ maxLength: 100, example: "support-fr" }),
    conversation_timestamp: z
      .int()
      .meta({ description: "Unix time in seconds, from 2000-01-01 to one day ahead of now.", example: 1714557600 }),
    agent_email: z.string().meta({ format: "email", maxLength: 254, example: "ann@example.com" }),
    metadata: z.string().optional().meta({
      description:
        "JSON text: an array of at most 100 objects with exactly two string members, key (1 to 128 characters) and value (up to 1,024). Order and repeated keys are kept.",
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

/** Query parameters of an import. */
export const ImportCallQuery = z.strictObject({
  dry_run: booleanParameter
    .optional()
    .meta({ description: "true: validate the import and return the same response without storing anything." }),
});

export const callStatuses = ["received", "ready", "failed"] as const;
export type CallStatus = (typeof callStatuses)[number];

/** Why preparation failed, explained in docs/calls.md. Stable: a code never changes its meaning. */
export const failureCodes = [
  "recording_undecodable",
  "recording_too_long",
  "recording_too_costly",
  "recording_missing",
  "recording_corrupt",
  "preparation_abandoned",
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** Problems with a recording that a listener should know about, explained in docs/calls.md. */
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

const Failure = z
  .object({
    code: z.string().meta({
      description: `One of ${failureCodes.join(", ")}. More may be added.`,
      example: "recording_undecodable",
    }),
    detail: z.string().meta({ description: "Human-readable: what went wrong and how to fix it." }),
  })
  .meta({ id: "Failure" });

/** A metadata entry in a response. */
export const MetadataEntry = z.object({ key: z.string(), value: z.string() }).meta({ id: "MetadataEntry" });

/** The agent of a call. */
const AgentRef = z.object({ id: z.uuid(), email: z.string(), name: z.string() }).meta({ id: "AgentRef" });

/** The recording as it was uploaded. */
const Recording = z
  .object({
    format: z.enum(["wav", "mp3", "m4a", "aac", "ogg", "flac", "amr", "webm", "au"]),
    bytes: z.int(),
    sha256: z.string().meta({ description: "SHA-256 of the recording as uploaded, in hexadecimal." }),
    codec: z.string().nullable(),
    channels: z.int().nullable(),
    sample_rate: z.int().nullable(),
    duration_ms: z.int().nullable(),
  })
  .meta({ id: "Recording" });

/** Something about an import or a recording that its reader should know. */
const Warning = z
  .object({ code: z.string(), detail: z.string(), part: z.string().optional() })
  .meta({ id: "Warning", description: "docs/calls.md explains each code." });

/** Members shared by every representation of a call. */
export const callMembers = {
  id: z.uuid().meta({ description: "Importing the same call again always returns the same id." }),
  status: z.enum(callStatuses).meta({ description: "received, then ready (playable) or failed." }),
  campaign_id: z.string(),
  agent: AgentRef,
  conversation_timestamp: z.int(),
  conversation_time: z.iso.datetime(),
  metadata: z.array(MetadataEntry),
  recording: Recording,
  failure: Failure.optional(),
  warnings: z.array(Warning),
  created_at: z.iso.datetime(),
};

/** Members of every example of a call. */
export const exampleCall = {
  id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
  status: "ready",
  campaign_id: "support-fr",
  agent: { id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d", email: "ann@example.com", name: "Ann Lee" },
  conversation_timestamp: 1714557600,
  conversation_time: "2024-05-01T10:00:00.000Z",
  metadata: [{ key: "client_phone", value: "+33123456789" }],
  recording: {
    format: "wav",
    bytes: 1_920_044,
    sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    codec: "pcm_s16le",
    channels: 2,
    sample_rate: 8000,
    duration_ms: 60_000,
  },
  warnings: [],
  created_at: "2026-11-15T08:00:00.000Z",
};

/** Response of an import. */
export const CallBody = z
  .object({
    ...callMembers,
    status: z.enum([...callStatuses, "erased"]).meta({
      description: "received, then ready or failed. erased: the call was erased on request; nothing was stored.",
    }),
    created_at: z.iso.datetime().nullable().meta({ description: "null if the call was erased." }),
    duplicate: z.boolean().meta({
      description:
        "true: this call was already imported. Nothing was stored, unless the warning `recording_restored` reports that a lost recording was replaced.",
    }),
    dry_run: z.literal(true).optional().meta({ description: "Present with `dry_run=true`: nothing was stored." }),
  })
  .meta({ id: "Call", examples: [{ ...exampleCall, status: "received", duplicate: false }] });
export type CallBody = z.output<typeof CallBody>;

/** One side of the conversation. */
const Side = z
  .object({
    side: z.enum(["agent", "customer", "left", "right", "mixed"]).meta({
      description:
        "agent and customer if the agent's channel is known, else left and right. mixed: both sides share one channel.",
    }),
    channel: z.enum(["left", "right", "both"]),
    talk_ms: z.int(),
    talk_ratio: z.number().meta({ description: "Talk time as a fraction of the call's duration." }),
    loudness_lufs: z.number().nullable().meta({ description: "Integrated loudness (ITU-R BS.1770). null: silent." }),
  })
  .meta({ id: "Side" });

/** A processing step of a call. */
const Step = z
  .object({
    step: z.enum(["prepare", "transcribe"]),
    state: z.enum(["waiting", "running", "done", "failed"]),
    attempts: z.int(),
    reason: Failure.optional().meta({ description: "Why the step failed or is being retried." }),
    since: z.iso.datetime().meta({ description: "When the step entered this state." }),
  })
  .meta({ id: "Step" });

export const AgentChannel = z
  .object({
    value: z.enum(["left", "right", "unknown"]),
    from: z
      .enum(["call", "campaign"])
      .meta({ description: "call: set on this call. campaign: the campaign's setting." }),
  })
  .meta({ id: "AgentChannel" });

/** The measured audio of a call that is ready. */
const Audio = z
  .object({
    layout: z.enum(layouts),
    sides: z.array(Side),
    overtalk_ms: z
      .int()
      .nullable()
      .meta({ description: "Time during which both sides talk. null if the sides cannot be separated." }),
    silence_ms: z.int().meta({ description: "Time during which neither side talks." }),
    silence_ratio: z.number(),
    longest_silence_ms: z.int(),
    playback: z.object({ url: z.string(), media_type: z.string(), bytes: z.int() }),
    waveform: z.object({ url: z.string(), bytes: z.int() }),
    speech: z.object({ url: z.string() }),
  })
  .meta({ id: "Audio" });

const exampleSide = { talk_ms: 24_000, talk_ratio: 0.4, loudness_lufs: -21.5 };
const exampleDetail = {
  ...exampleCall,
  agent_channel: { value: "left", from: "campaign" },
  audio: {
    layout: "dual",
    sides: [
      { ...exampleSide, side: "agent", channel: "left" },
      { ...exampleSide, side: "customer", channel: "right" },
    ],
    overtalk_ms: 800,
    silence_ms: 12_800,
    silence_ratio: 0.213,
    longest_silence_ms: 3_200,
    playback: { url: `/calls/${exampleCall.id}/audio`, media_type: "audio/mp4", bytes: 480_000 },
    waveform: { url: `/calls/${exampleCall.id}/waveform`, bytes: 6_032 },
    speech: { url: `/calls/${exampleCall.id}/speech` },
  },
  transcript: {
    id: "0190f3c2-6c0b-7d6e-9b0e-5e8f7a6b1c2d",
    url: `/calls/${exampleCall.id}/transcript`,
    language: "en",
    words: 712,
    sound_masked: false,
  },
  steps: [
    { step: "prepare", state: "done", attempts: 1, since: "2026-11-15T08:00:02.000Z" },
    { step: "transcribe", state: "done", attempts: 1, since: "2026-11-15T08:00:20.000Z" },
  ],
};

/** Where the transcript of a call is. */
const TranscriptRef = z
  .object({
    id: z.uuid().meta({ description: "Changes when the call is transcribed again." }),
    url: z.string(),
    language: z.string(),
    words: z.int(),
    sound_masked: z.boolean().meta({
      description: "Whether card numbers and other masked parts are silent in the playback copy.",
    }),
  })
  .meta({ id: "TranscriptRef" });

/** A call with its audio analysis and processing steps. */
export const CallDetailBody = z
  .object({
    ...callMembers,
    agent_channel: AgentChannel,
    audio: Audio.nullable().meta({ description: "null until the call is ready." }),
    transcript: TranscriptRef.nullable().meta({ description: "null: the call has no transcript, or not yet." }),
    steps: z.array(Step).meta({ description: "transcribe is present if the call is or was to be transcribed." }),
  })
  .meta({ id: "CallDetail", examples: [exampleDetail] });
export type CallDetailBody = z.output<typeof CallDetailBody>;

/** Response for API keys that may change calls but not read them. */
export const CallReferenceBody = z
  .object({ id: z.uuid(), status: z.enum(callStatuses) })
  .meta({ id: "CallReference", examples: [{ id: exampleCall.id, status: "received" }] });
export type CallReferenceBody = z.output<typeof CallReferenceBody>;

/** API keys without the `read` scope get only a reference to the call. */
export const CallDetailOrReferenceBody = z
  .union([CallDetailBody, CallReferenceBody])
  .meta({ id: "CallDetailOrReference", examples: [exampleOf(CallDetailBody)] });

/** Query parameters of the audio of a call. */
export const GetAudioQuery = z.object({
  original: booleanParameter.optional().meta({
    description:
      "true: the original recording instead of the playback copy. Agents need the workspace setting `agents_can_download`. In campaigns whose sound is masked, users need `listens_to_originals`, and API keys the scope `listen_original`.",
  }),
});

/** Speech segments per side: [start, end] in milliseconds from the start of the call, in order. */
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
  .meta({
    id: "Speech",
    examples: [
      {
        sides: [
          {
            side: "agent",
            channel: "left",
            turns: [
              [0, 2_400],
              [5_100, 9_800],
            ],
          },
        ],
      },
    ],
  });
export type SpeechBody = z.output<typeof SpeechBody>;
