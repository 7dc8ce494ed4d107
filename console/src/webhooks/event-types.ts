import type { EventType } from "@hearback/sdk";
import type { TextKey } from "./texts.ts";

export type WebhookEventType = Exclude<EventType, "webhook.test">;

const texts: Record<EventType, TextKey> = {
  "call.imported": "eventCallImported",
  "call.ready": "eventCallReady",
  "call.failed": "eventCallFailed",
  "call.transcribed": "eventCallTranscribed",
  "call.transcription_failed": "eventCallTranscriptionFailed",
  "call.changed": "eventCallChanged",
  "call.erased": "eventCallErased",
  "user.created": "eventUserCreated",
  "user.changed": "eventUserChanged",
  "user.erased": "eventUserErased",
  "campaign.changed": "eventCampaignChanged",
  "scorecard.published": "eventScorecardPublished",
  "review.submitted": "eventReviewSubmitted",
  "review.released": "eventReviewReleased",
  "review.acknowledged": "eventReviewAcknowledged",
  "review.disputed": "eventReviewDisputed",
  "review.resolved": "eventReviewResolved",
  "review.voided": "eventReviewVoided",
  "dispute.overdue": "eventDisputeOverdue",
  "draw.committed": "eventDrawCommitted",
  "draw.closed": "eventDrawClosed",
  "calibration.closed": "eventCalibrationClosed",
  "webhook.test": "eventTest",
};

const isWebhookEventType = (type: string): type is WebhookEventType => type in texts && type !== "webhook.test";

export const webhookEventTypes = Object.keys(texts).filter(isWebhookEventType);

/** Known types of a list. A newer server may return more. */
export const knownTypes = (types: readonly string[]) => types.filter(isWebhookEventType);

/** Description of an event type, if known. */
export const eventText = (type: string): TextKey | undefined => texts[type as EventType];
