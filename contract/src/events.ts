import { z } from "zod";
import { failureCodes } from "./calls.ts";
import { anyOf, integerUpTo } from "./page.ts";
import { transcriptionFailureCodes } from "./transcripts.ts";

const CallSubject = z
  .object({ call_id: z.uuid(), campaign_id: z.string(), agent_id: z.uuid() })
  .meta({ id: "CallSubject" });
const ReviewSubject = CallSubject.extend({ review_id: z.uuid() }).meta({ id: "ReviewSubject" });
const DrawSubject = z.object({ draw_id: z.uuid(), plan_id: z.uuid(), period: z.string() });
const changed = z.array(z.string()).meta({ description: "Names of the changed members." });

/** Event types and their data. Events carry only ids and states; fetch the object by its id for more. */
export const eventData = {
  "call.imported": CallSubject,
  "call.ready": CallSubject,
  "call.failed": CallSubject.extend({
    failure: z.object({ code: z.enum(failureCodes), detail: z.string() }),
  }).meta({ id: "CallFailedData" }),
  "call.transcribed": CallSubject.extend({ transcript_id: z.uuid() }).meta({ id: "CallTranscribedData" }),
  "call.transcription_failed": CallSubject.extend({
    failure: z.object({ code: z.enum(transcriptionFailureCodes), detail: z.string() }),
  }).meta({ id: "CallTranscriptionFailedData" }),
  "call.changed": CallSubject.extend({ changed }).meta({ id: "CallChangedData" }),
  "call.erased": CallSubject,
  "user.created": z.object({ user_id: z.uuid(), role: z.string() }).meta({ id: "UserCreatedData" }),
  "user.erased": z.object({ user_id: z.uuid() }).meta({ id: "UserErasedData" }),
  "user.changed": z.object({ user_id: z.uuid(), changed }).meta({ id: "UserChangedData" }),
  "campaign.changed": z.object({ campaign_id: z.string(), changed }).meta({ id: "CampaignChangedData" }),
  "review.submitted": ReviewSubject,
  "review.released": ReviewSubject,
  "review.acknowledged": ReviewSubject,
  "review.disputed": ReviewSubject,
  "review.resolved": ReviewSubject,
  "review.voided": ReviewSubject,
  "dispute.overdue": ReviewSubject.extend({ dispute_id: z.uuid() }).meta({ id: "DisputeOverdueData" }),
  "scorecard.published": z.object({ scorecard_id: z.uuid(), version: z.int() }).meta({ id: "ScorecardPublishedData" }),
  "draw.committed": DrawSubject.extend({
    commitment: z.string(),
    second_commitment: z.string(),
    rules_sha256: z.string(),
  }).meta({
    id: "DrawCommittedData",
  }),
  "draw.closed": DrawSubject.extend({ root: z.string() }).meta({ id: "DrawClosedData" }),
  "calibration.closed": z
    .object({ calibration_id: z.uuid(), scorecard_id: z.uuid(), version: z.int() })
    .meta({ id: "CalibrationClosedData" }),
  "webhook.test": z.object({ webhook_id: z.uuid() }).meta({ id: "WebhookTestData" }),
} as const;

export type EventType = keyof typeof eventData;
export type EventData<Type extends EventType> = z.output<(typeof eventData)[Type]>;
export const eventTypes = Object.keys(eventData) as [EventType, ...EventType[]];

/** Event types that a webhook can subscribe to. A test event goes only to the webhook being tested. */
export const webhookEventTypes = eventTypes.filter((type) => type !== "webhook.test");

const exampleId = "evt_9c1f27d05be84a6b93e0d7a25c46f81e";
const exampleTime = "2026-11-15T08:00:00.000Z";
const ids = {
  call_id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
  campaign_id: "support-fr",
  agent_id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
};
const review = { ...ids, review_id: "0190f3c2-6c0b-7d6e-9b0e-6a3b1f2c4d0f" };
const draw = {
  draw_id: "0190f3c2-6c0b-7d6e-9b0e-4d0f6a3b1f2c",
  plan_id: "0190f3c2-6c0b-7d6e-9b0e-1f2c4d0f6a3b",
  period: "2026-11-09/2026-11-15",
};
const user = { user_id: ids.agent_id };
const exampleData: { readonly [Type in EventType]: EventData<Type> } = {
  "call.imported": ids,
  "call.ready": ids,
  "call.failed": {
    ...ids,
    failure: {
      code: "recording_undecodable",
      detail: "The file looks like WAV, but no audio can be decoded from it.",
    },
  },
  "call.transcribed": { ...ids, transcript_id: "0190f3c2-6c0b-7d6e-9b0e-5e8f7a6b1c2d" },
  "call.transcription_failed": {
    ...ids,
    failure: { code: "engine_unavailable", detail: "The transcription server cannot be reached." },
  },
  "call.changed": { ...ids, changed: ["agent"] },
  "call.erased": ids,
  "user.created": { ...user, role: "agent" },
  "user.erased": user,
  "user.changed": { ...user, changed: ["role"] },
  "campaign.changed": { campaign_id: ids.campaign_id, changed: ["archived"] },
  "review.submitted": review,
  "review.released": review,
  "review.acknowledged": review,
  "review.disputed": review,
  "review.resolved": review,
  "review.voided": review,
  "dispute.overdue": { ...review, dispute_id: "0190f3c2-6c0b-7d6e-9b0e-1f2c4d0f6a3b" },
  "scorecard.published": { scorecard_id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f", version: 3 },
  "draw.committed": {
    ...draw,
    commitment: "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
    second_commitment: "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793",
    rules_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
  "draw.closed": { ...draw, root: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328" },
  "calibration.closed": {
    calibration_id: "0190f3c2-6c0b-7d6e-9b0e-3b1f2c4d0f6a",
    scorecard_id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f",
    version: 3,
  },
  "webhook.test": { webhook_id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
};

const componentName = (type: EventType, suffix: string) =>
  `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}${suffix}`;

interface Event<Type extends EventType> {
  /** Opaque and unordered. Can be passed as `cursor`. */
  readonly id: string;
  readonly type: Type;
  readonly created_at: string;
  readonly data: EventData<Type>;
}

/** An event, discriminated by `type`. Ignore types that you do not know: more may be added. */
export type EventBody = { [Type in EventType]: Event<Type> }[EventType];

export const EventBody = unionOf<EventBody>(
  "Event",
  (type) => ({
    id: z.string().meta({ description: "Opaque and unordered. Can be passed as `cursor`.", example: exampleId }),
    type: z.literal(type),
    created_at: z.iso.datetime(),
    data: eventData[type],
  }),
  (type) => ({ id: exampleId, type, created_at: exampleTime, data: exampleData[type] }),
);

interface Payload<Type extends EventType> {
  /** Store processed ids: an event may be delivered more than once. */
  readonly id: string;
  readonly type: Type;
  readonly timestamp: string;
  readonly data: EventData<Type>;
}

/** The body of a webhook request, discriminated by `type`. Ignore types that you do not know: more may be added. */
export type WebhookPayload = { [Type in EventType]: Payload<Type> }[EventType];

export const WebhookPayload = unionOf<WebhookPayload>(
  "WebhookPayload",
  (type) => ({
    id: z
      .string()
      .meta({ description: "Store processed ids: an event may be delivered more than once.", example: exampleId }),
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: "When the event happened." }),
    data: eventData[type],
  }),
  (type) => ({ id: exampleId, type, timestamp: exampleTime, data: exampleData[type] }),
);

/** A union with one component per event type. */
function unionOf<Body>(
  name: string,
  shape: (type: EventType) => z.ZodRawShape & { type: z.ZodLiteral },
  example: (type: EventType) => object,
) {
  const members = eventTypes.map((type) =>
    z.object(shape(type)).meta({ id: componentName(type, name), examples: [example(type)] }),
  );
  const [first, ...rest] = members as [(typeof members)[number], ...(typeof members)[number][]];
  const union = z.discriminatedUnion("type", [first, ...rest]).meta({
    id: name,
    description: "Discriminated by `type`. Ignore types that you do not know: more may be added.",
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(
        eventTypes.map((type) => [type, `#/components/schemas/${componentName(type, name)}`]),
      ),
    },
    examples: [example("call.ready")],
  });
  // A union made from a list has a wider type than its members have.
  return union as unknown as z.ZodType<Body> & Pick<typeof union, "options">;
}

export const EventPageBody = z
  .object({
    events: z.array(EventBody),
    next: z.string().nullable().meta({
      description: "Pass this as `cursor` in the next request. null: there are no events yet.",
      example: exampleId,
    }),
    more: z.boolean().meta({ description: "true: more events are available now." }),
  })
  .meta({
    id: "EventPage",
    examples: [
      {
        events: [{ id: exampleId, type: "call.ready", created_at: exampleTime, data: exampleData["call.ready"] }],
        next: exampleId,
        more: false,
      },
    ],
  });
export type EventPageBody = z.output<typeof EventPageBody>;

export const ListEventsQuery = z.object({
  cursor: z.string().max(64, "must have at most 64 characters").optional().meta({
    description:
      "The id of the last event you have processed, or `latest` to start now. Omit to start at the oldest stored event.",
    example: exampleId,
  }),
  limit: integerUpTo(500, 100),
  type: anyOf(z.enum(eventTypes, `must be one of ${eventTypes.join(", ")}`), 20)
    .optional()
    .meta({ description: "Only events of this type. Repeat to match any of several." }),
});
