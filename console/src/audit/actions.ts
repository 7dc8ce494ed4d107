import type { AuditAction } from "@hearback/sdk";
import type { TextKey } from "./texts.ts";

interface ActionTexts {
  /** Label in the action filter. */
  readonly label: TextKey;
  /** Sentence of an entry, with {{who}} and {{what}}. */
  readonly sentence: TextKey;
}

const texts: Record<AuditAction, ActionTexts> = {
  "call.listened": { label: "labelCallListened", sentence: "entryCallListened" },
  "call.downloaded": { label: "labelCallDownloaded", sentence: "entryCallDownloaded" },
  "call.changed": { label: "labelCallChanged", sentence: "entryCallChanged" },
  "call.erased": { label: "labelCallErased", sentence: "entryCallErased" },
  "calls.exported": { label: "labelCallsExported", sentence: "entryCallsExported" },
  "audit.exported": { label: "labelAuditExported", sentence: "entryAuditExported" },
  "campaign.created": { label: "labelCampaignCreated", sentence: "entryCampaignCreated" },
  "campaign.changed": { label: "labelCampaignChanged", sentence: "entryCampaignChanged" },
  "campaign.archived": { label: "labelCampaignArchived", sentence: "entryCampaignArchived" },
  "retention.changed": { label: "labelRetentionChanged", sentence: "entryRetentionChanged" },
  "retention.executed": { label: "labelRetentionExecuted", sentence: "entryRetentionExecuted" },
  "scorecard.created": { label: "labelScorecardCreated", sentence: "entryScorecardCreated" },
  "scorecard.changed": { label: "labelScorecardChanged", sentence: "entryScorecardChanged" },
  "scorecard.published": { label: "labelScorecardPublished", sentence: "entryScorecardPublished" },
  "scorecard.draft_discarded": { label: "labelScorecardDraftDiscarded", sentence: "entryScorecardDraftDiscarded" },
  "scorecard.retired": { label: "labelScorecardRetired", sentence: "entryScorecardRetired" },
  "note.created": { label: "labelNoteCreated", sentence: "entryNoteCreated" },
  "note.changed": { label: "labelNoteChanged", sentence: "entryNoteChanged" },
  "note.deleted": { label: "labelNoteDeleted", sentence: "entryNoteDeleted" },
  "review.started": { label: "labelReviewStarted", sentence: "entryReviewStarted" },
  "review.discarded": { label: "labelReviewDiscarded", sentence: "entryReviewDiscarded" },
  "review.submitted": { label: "labelReviewSubmitted", sentence: "entryReviewSubmitted" },
  "review.released": { label: "labelReviewReleased", sentence: "entryReviewReleased" },
  "review.reopened": { label: "labelReviewReopened", sentence: "entryReviewReopened" },
  "review.corrected": { label: "labelReviewCorrected", sentence: "entryReviewCorrected" },
  "review.voided": { label: "labelReviewVoided", sentence: "entryReviewVoided" },
  "review.acknowledged": { label: "labelReviewAcknowledged", sentence: "entryReviewAcknowledged" },
  "review.disputed": { label: "labelReviewDisputed", sentence: "entryReviewDisputed" },
  "review.resolved": { label: "labelReviewResolved", sentence: "entryReviewResolved" },
  "dispute.assigned": { label: "labelDisputeAssigned", sentence: "entryDisputeAssigned" },
  "dispute.test_case_changed": { label: "labelTestCaseChanged", sentence: "entryTestCaseChanged" },
  "reviews.exported": { label: "labelReviewsExported", sentence: "entryReviewsExported" },
  "reviews.expired": { label: "labelReviewsExpired", sentence: "entryReviewsExpired" },
  "team.created": { label: "labelTeamCreated", sentence: "entryTeamCreated" },
  "team.changed": { label: "labelTeamChanged", sentence: "entryTeamChanged" },
  "team.deleted": { label: "labelTeamDeleted", sentence: "entryTeamDeleted" },
  "user.created": { label: "labelUserCreated", sentence: "entryUserCreated" },
  "user.changed": { label: "labelUserChanged", sentence: "entryUserChanged" },
  "user.deactivated": { label: "labelUserDeactivated", sentence: "entryUserDeactivated" },
  "session.created": { label: "labelSessionCreated", sentence: "entrySessionCreated" },
  "session.failed": { label: "labelSessionFailed", sentence: "entrySessionFailed" },
  "session.ended": { label: "labelSessionEnded", sentence: "entrySessionEnded" },
  "password.changed": { label: "labelPasswordChanged", sentence: "entryPasswordChanged" },
  "provider.linked": { label: "labelProviderLinked", sentence: "entryProviderLinked" },
  "provider.unlinked": { label: "labelProviderUnlinked", sentence: "entryProviderUnlinked" },
  "two_step.added": { label: "labelTwoStepAdded", sentence: "entryTwoStepAdded" },
  "two_step.removed": { label: "labelTwoStepRemoved", sentence: "entryTwoStepRemoved" },
  "two_step.codes_created": { label: "labelTwoStepCodesCreated", sentence: "entryTwoStepCodesCreated" },
  "two_step.reset": { label: "labelTwoStepReset", sentence: "entryTwoStepReset" },
  "link.created": { label: "labelLinkCreated", sentence: "entryLinkCreated" },
  "key.created": { label: "labelKeyCreated", sentence: "entryKeyCreated" },
  "key.changed": { label: "labelKeyChanged", sentence: "entryKeyChanged" },
  "key.rotated": { label: "labelKeyRotated", sentence: "entryKeyRotated" },
  "key.revoked": { label: "labelKeyRevoked", sentence: "entryKeyRevoked" },
  "key.limits_changed": { label: "labelKeyLimitsChanged", sentence: "entryKeyLimitsChanged" },
  "webhook.created": { label: "labelWebhookCreated", sentence: "entryWebhookCreated" },
  "webhook.changed": { label: "labelWebhookChanged", sentence: "entryWebhookChanged" },
  "webhook.deleted": { label: "labelWebhookDeleted", sentence: "entryWebhookDeleted" },
  "webhook.secret_rotated": { label: "labelWebhookSecretRotated", sentence: "entryWebhookSecretRotated" },
  "hold.created": { label: "labelHoldCreated", sentence: "entryHoldCreated" },
  "hold.released": { label: "labelHoldReleased", sentence: "entryHoldReleased" },
  "erasure.requested": { label: "labelErasureRequested", sentence: "entryErasureRequested" },
  "erasure.done": { label: "labelErasureDone", sentence: "entryErasureDone" },
  "erasure.replayed": { label: "labelErasureReplayed", sentence: "entryErasureReplayed" },
  "workspace.changed": { label: "labelWorkspaceChanged", sentence: "entryWorkspaceChanged" },
  "workspace.limits_changed": { label: "labelWorkspaceLimitsChanged", sentence: "entryWorkspaceLimitsChanged" },
  "workspace.erased": { label: "labelWorkspaceErased", sentence: "entryWorkspaceErased" },
};

export const auditActions = Object.keys(texts) as AuditAction[];

export const isAuditAction = (text: string): text is AuditAction => text in texts;

export const actionTexts = (action: AuditAction): ActionTexts => texts[action];
