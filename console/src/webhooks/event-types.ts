import type { EventType } from "@hearback/sdk";
import type { TextKey } from "../i18n/use-texts.ts";

/** What a webhook can be told of. */
export type WebhookEventType = Exclude<EventType, "webhook.test">;

const texts: Record<EventType, TextKey<"webhooks">> = {
  "call.imported": "eventCallImported",
  "call.ready": "eventCallReady",
  "call.failed": "eventCallFailed",
  "call.changed": "eventCallChanged",
  "call.erased": "eventCallErased",
  "user.created": "eventUserCreated",
  "user.changed": "eventUserChanged",
  "user.erased": "eventUserErased",
  "campaign.changed": "eventCampaignChanged",
  "webhook.test": "eventTest",
};

const isTold = (type: string): type is WebhookEventType => type in texts && type !== "webhook.test";

export const webhookEventTypes = Object.keys(texts).filter(isTold);

/** Of a newer service's list, those that this console can offer. */
export const knownTypes = (types: readonly string[]) => types.filter(isTold);

/** What the event means, in one line. A newer service may send types that this console does not know. */
export const eventText = (type: string): TextKey<"webhooks"> | undefined => texts[type as EventType];
