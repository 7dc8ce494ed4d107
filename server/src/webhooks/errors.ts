import { defineError } from "../platform/errors.ts";

const exampleId = "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d";

export const webhookNotFound = defineError(
  "webhook_not_found",
  (id: string) => `There is no webhook ${id} in this workspace. GET /webhooks lists them.`,
  exampleId,
);
export const webhookDisabled = defineError(
  "webhook_disabled",
  (id: string, reason: string | null) =>
    `The webhook is disabled (${reason}). Enable it first: PATCH /webhooks/${id} with {"enabled": true}.`,
  exampleId,
  "failing",
);
export const webhookLimitReached = defineError(
  "webhook_limit_reached",
  (count: number) =>
    `This workspace has reached the limit of ${count} webhooks. Delete one that you no longer use (DELETE /webhooks/{id}).`,
  50,
);
export const eventNotFound = defineError(
  "event_not_found",
  (id: string) => `There is no event ${id} for this webhook. GET /events lists those that are kept.`,
  "evt_9c1f27d05be84a6b93e0d7a25c46f81e",
);
