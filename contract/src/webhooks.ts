import { z } from "zod";
import { webhookEventTypes } from "./events.ts";
import { countTo } from "./page.ts";
import { text } from "./text.ts";
import { Time } from "./time.ts";

const Url = text(1, 2000).meta({
  description: "Where events are sent with POST. https, and an address that is reachable from the public network.",
  example: "https://example.com/hearback",
});
const Description = text(0, 200).meta({ example: "Our data warehouse" });
const Types = z
  .array(z.enum(webhookEventTypes as [string, ...string[]], `must be one of ${webhookEventTypes.join(", ")}`))
  .max(50, "must have at most 50 entries")
  .meta({ description: "Only events of these types; empty: all, also those that come later." });

export const CreateWebhookBody = z
  .strictObject({ url: Url, description: Description.default(""), types: Types.default([]) })
  .meta({
    id: "CreateWebhook",
    examples: [{ url: "https://example.com/hearback", description: "Our data warehouse", types: ["call.ready"] }],
  });

export const ChangeWebhookBody = z
  .strictObject({
    url: Url.optional(),
    description: Description.optional(),
    types: Types.optional(),
    enabled: z.boolean("must be true or false").optional().meta({
      description:
        "false: nothing is sent any more, and what waits is cancelled. true: events from now on are sent; replay what was missed.",
    }),
  })
  .meta({ id: "ChangeWebhook", examples: [{ enabled: true, types: ["call.ready", "call.failed"] }] });
export type ChangeWebhookBody = z.output<typeof ChangeWebhookBody>;

export const RotateSecretBody = z
  .strictObject({
    overlap_hours: z
      .number("must be a number")
      .min(0, "must be at least 0")
      .max(168, "must be at most 168")
      .default(24)
      .meta({ description: "For how long deliveries are signed with the old secret too." }),
  })
  .meta({ id: "RotateSecret", examples: [{ overlap_hours: 24 }] });

const EventId = z.string("must be text").max(64, "must have at most 64 characters");

export const ReplayFields = z.strictObject({
  event_id: EventId.optional(),
  from: Time.optional(),
  to: Time.optional(),
  after: EventId.optional(),
  until: EventId.optional(),
});
export type ReplayFields = z.output<typeof ReplayFields>;

/** The body as documented. */
export const ReplayBody = z
  .object({
    event_id: EventId.optional().meta({ description: "This one event. Then nothing else may be given." }),
    from: z.iso.datetime({ offset: true }).optional().meta({ description: "Events from this time on …" }),
    to: z.iso.datetime({ offset: true }).optional().meta({ description: "… and before this time." }),
    after: EventId.optional().meta({ description: "Events after this one, such as the `next` of an answer …" }),
    until: EventId.optional().meta({ description: "… up to and including this one." }),
  })
  .meta({ id: "Replay", examples: [{ from: "2026-11-14T00:00:00Z", to: "2026-11-15T00:00:00Z" }] });

export const ReplayedBody = z
  .object({
    queued: z.int(),
    next: z.string().nullable().meta({ description: "Not null: there are more; send this as `after` to go on." }),
  })
  .meta({ id: "Replayed" });
export type ReplayedBody = z.output<typeof ReplayedBody>;

export const WebhookBody = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string(),
    types: z.array(z.string()),
    enabled: z.boolean(),
    disabled: z
      .object({ at: z.iso.datetime(), reason: z.enum(["by_request", "gone", "failing"]) })
      .nullable()
      .meta({ description: "gone: it answered 410. failing: nothing was taken for three days." }),
    failing_since: z.iso.datetime().nullable(),
    previous_secret_until: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Webhook" });
export type WebhookBody = z.output<typeof WebhookBody>;

export const WebhookListBody = z.object({ webhooks: z.array(WebhookBody) }).meta({ id: "WebhookList" });
export type WebhookListBody = z.output<typeof WebhookListBody>;

export const WebhookWithSecretBody = WebhookBody.extend({
  secret: z.string().meta({ description: "Shown this once. Verifies what is sent.", example: "whsec_…" }),
}).meta({ id: "WebhookWithSecret" });
export type WebhookWithSecretBody = z.output<typeof WebhookWithSecretBody>;

export const WebhookTestBody = z.object({ event_id: z.string(), delivery_id: z.uuid() }).meta({ id: "WebhookTest" });
export type WebhookTestBody = z.output<typeof WebhookTestBody>;

export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What became of one attempt. */
export const AttemptBody = z.object({
  at: z.iso.datetime(),
  status: z.int().nullable().meta({ description: "The receiver's answer; null: there was none." }),
  error: z.string().nullable().meta({ description: "Why it did not count as delivered.", example: "timeout" }),
  duration_ms: z.int(),
});
export type AttemptBody = z.output<typeof AttemptBody>;

export const DeliveryBody = z
  .object({
    id: z.uuid(),
    event_id: z.string(),
    type: z.string(),
    state: z.enum(deliveryStates),
    attempts: z.array(AttemptBody),
    next_attempt_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    settled_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Delivery" });
export type DeliveryBody = z.output<typeof DeliveryBody>;

export const DeliveryPageBody = z
  .object({
    deliveries: z.array(DeliveryBody),
    next: z.uuid().nullable().meta({ description: "What to send as `cursor` for the older ones; null: no more." }),
  })
  .meta({ id: "DeliveryPage" });
export type DeliveryPageBody = z.output<typeof DeliveryPageBody>;

export const ListDeliveriesQuery = z.object({
  state: z.enum(deliveryStates, `must be one of ${deliveryStates.join(", ")}`).optional(),
  cursor: z.uuid("must be the `next` of an answer before").optional(),
  limit: countTo(200, 50),
});
export type ListDeliveriesQuery = z.output<typeof ListDeliveriesQuery>;

/** The query as documented. */
export const ListDeliveriesParameters = z.object({
  state: z.enum(deliveryStates).optional(),
  cursor: z.uuid().optional().meta({ description: "The `next` of the answer before." }),
  limit: z.int().min(1).max(200).default(50),
});
