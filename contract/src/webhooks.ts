import { z } from "zod";
import { webhookEventTypes } from "./events.ts";
import { cursor, exampleOf, integerUpTo, next } from "./page.ts";
import { text } from "./text.ts";
import { Time } from "./time.ts";

const Url = text(1, 2000).meta({
  description: "URL that receives events by POST. Must use https and a publicly reachable address.",
  example: "https://example.com/hearback",
});
const Description = text(0, 200).meta({ example: "Our data warehouse" });
const Types = z
  .array(z.enum(webhookEventTypes as [string, ...string[]], `must be one of ${webhookEventTypes.join(", ")}`))
  .max(50, "must have at most 50 entries")
  .meta({ description: "Send only events of these types. Empty: all types, including future ones." });

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
        "false: stop sending events and cancel pending deliveries. true: send new events; use replay for missed ones.",
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
      .meta({ description: "How long deliveries are also signed with the old secret." }),
  })
  .meta({ id: "RotateSecret", examples: [{ overlap_hours: 24 }] });

const EventId = z.string("must be text").max(64, "must have at most 64 characters");

export const ReplayBody = z
  .strictObject({
    event_id: EventId.optional().meta({
      description: "Replay only this event. Cannot be combined with other members.",
    }),
    from: Time.optional().meta({ description: "Events at or after this time." }),
    to: Time.optional().meta({ description: "Events before this time." }),
    after: EventId.optional().meta({
      description: "Events after this one, such as the `next` value of a previous response.",
    }),
    until: EventId.optional().meta({ description: "Events up to and including this one." }),
  })
  .meta({ id: "Replay", examples: [{ from: "2026-11-14T00:00:00Z", to: "2026-11-15T00:00:00Z" }] });
export type ReplayBody = z.output<typeof ReplayBody>;

export const ReplayedBody = z
  .object({
    queued: z.int(),
    next: z.string().nullable().meta({ description: "Pass this as `after` to replay more events. null: done." }),
  })
  .meta({ id: "Replayed", examples: [{ queued: 250, next: null }] });
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
      .meta({ description: "gone: the receiver returned 410. failing: no successful delivery for three days." }),
    failing_since: z.iso.datetime().nullable(),
    previous_secret_until: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: "Webhook",
    examples: [
      {
        id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
        url: "https://example.com/hearback",
        description: "Our data warehouse",
        types: ["call.ready"],
        enabled: true,
        disabled: null,
        failing_since: null,
        previous_secret_until: null,
        created_at: "2026-11-15T08:00:00.000Z",
      },
    ],
  });
export type WebhookBody = z.output<typeof WebhookBody>;

export const WebhookListBody = z
  .object({ webhooks: z.array(WebhookBody) })
  .meta({ id: "WebhookList", examples: [{ webhooks: [exampleOf(WebhookBody)] }] });
export type WebhookListBody = z.output<typeof WebhookListBody>;

export const WebhookWithSecretBody = WebhookBody.extend({
  secret: z
    .string()
    .meta({ description: "Signing secret, for verifying deliveries. Shown only once.", example: "whsec_…" }),
}).meta({ id: "WebhookWithSecret", examples: [{ ...exampleOf(WebhookBody), secret: "whsec_…" }] });
export type WebhookWithSecretBody = z.output<typeof WebhookWithSecretBody>;

const exampleDelivery = {
  id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11",
  event_id: "evt_9c1f27d05be84a6b93e0d7a25c46f81e",
};

export const WebhookTestBody = z.object({ event_id: z.string(), delivery_id: z.uuid() }).meta({
  id: "WebhookTest",
  examples: [{ event_id: exampleDelivery.event_id, delivery_id: exampleDelivery.id }],
});
export type WebhookTestBody = z.output<typeof WebhookTestBody>;

export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The result of one delivery attempt. */
export const AttemptBody = z
  .object({
    at: z.iso.datetime(),
    status: z.int().nullable().meta({ description: "The receiver's HTTP status. null: no response." }),
    error: z.string().nullable().meta({ description: "Why the attempt failed.", example: "timeout" }),
    duration_ms: z.int(),
  })
  .meta({ id: "Attempt" });
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
  .meta({
    id: "Delivery",
    examples: [
      {
        ...exampleDelivery,
        type: "call.ready",
        state: "delivered",
        attempts: [{ at: "2026-11-15T08:00:03.000Z", status: 204, error: null, duration_ms: 81 }],
        next_attempt_at: null,
        created_at: "2026-11-15T08:00:02.000Z",
        settled_at: "2026-11-15T08:00:03.000Z",
      },
    ],
  });
export type DeliveryBody = z.output<typeof DeliveryBody>;

export const DeliveryPageBody = z
  .object({ deliveries: z.array(DeliveryBody), next })
  .meta({ id: "DeliveryPage", examples: [{ deliveries: [exampleOf(DeliveryBody)], next: null }] });
export type DeliveryPageBody = z.output<typeof DeliveryPageBody>;

export const ListDeliveriesQuery = z.object({
  state: z.enum(deliveryStates, `must be one of ${deliveryStates.join(", ")}`).optional(),
  cursor,
  limit: integerUpTo(200, 50),
});
export type ListDeliveriesQuery = z.output<typeof ListDeliveriesQuery>;
