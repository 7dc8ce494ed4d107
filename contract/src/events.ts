import { z } from "zod";
import { failureCodes } from "./calls.ts";
import { countTo } from "./page.ts";

const CallSubject = z.object({ call_id: z.uuid(), campaign_id: z.string(), agent_id: z.uuid() });

/** What can happen, and what is told of it: ids and states. Whoever may know more asks for it by the id. */
export const eventData = {
  "call.imported": CallSubject,
  "call.ready": CallSubject,
  "call.failed": CallSubject.extend({ failure: z.object({ code: z.enum(failureCodes), detail: z.string() }) }),
  "call.changed": CallSubject.extend({ changed: z.array(z.string()) }),
  "call.erased": CallSubject,
  "user.created": z.object({ user_id: z.uuid(), role: z.string() }),
  "user.erased": z.object({ user_id: z.uuid() }),
  "user.changed": z.object({ user_id: z.uuid(), changed: z.array(z.string()) }),
  "campaign.changed": z.object({ campaign_id: z.string(), changed: z.array(z.string()) }),
  "webhook.test": z.object({ webhook_id: z.uuid() }),
} as const;

export type EventType = keyof typeof eventData;
export type EventData<Type extends EventType> = z.output<(typeof eventData)[Type]>;
export const eventTypes = Object.keys(eventData) as [EventType, ...EventType[]];

/** What a webhook can be told of. A test goes to the one that asked for it and to no other. */
export const webhookEventTypes = eventTypes.filter((type) => type !== "webhook.test");

const exampleId = "evt_1-104729-57";

export const EventBody = z
  .object({
    id: z.string().meta({ description: "Also its place in the order of events.", example: exampleId }),
    type: z.string().meta({ description: `One of ${eventTypes.join(", ")}; more may come.`, example: "call.ready" }),
    created_at: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()).meta({ description: "Ids and states; docs/webhooks.md lists them." }),
  })
  .meta({ id: "Event" });
export type EventBody = z.output<typeof EventBody>;

export const EventPageBody = z
  .object({
    events: z.array(EventBody),
    next: z.string().nullable().meta({
      description: "What to send as `after` next time; null: nothing has happened yet.",
      example: exampleId,
    }),
    more: z.boolean().meta({ description: "true: there is more to read now." }),
  })
  .meta({ id: "EventPage" });
export type EventPageBody = z.output<typeof EventPageBody>;

export const ListEventsQuery = z.object({
  after: z.string().max(64, "must have at most 64 characters").optional(),
  limit: countTo(500, 100),
  type: z
    .union([z.string(), z.array(z.string())])
    .transform((types) => [types].flat())
    .pipe(z.array(z.enum(eventTypes, `must be one of ${eventTypes.join(", ")}`)).max(20, "may be given 20 times"))
    .optional(),
});

/** The query as documented. */
export const ListEventsParameters = z.object({
  after: z.string().max(64).optional().meta({
    description: "The id of the last event you have seen, or `latest` to begin now. Absent: from the oldest kept.",
    example: exampleId,
  }),
  limit: z.int().min(1).max(500).default(100),
  type: z
    .array(z.enum(eventTypes))
    .max(20)
    .optional()
    .meta({ description: "Only events of this type; may be repeated." }),
});
