import type { AuditAction } from "@hearback/sdk";
import type { TextKey } from "../i18n/use-texts.ts";

interface ActionTexts {
  /** In a list of actions to choose from. */
  readonly label: TextKey<"audit">;
  /** What an entry says, with {{who}} and {{what}}. */
  readonly said: TextKey<"audit">;
}

const texts: Record<AuditAction, ActionTexts> = {
  "call.listened": { label: "labelCallListened", said: "saidCallListened" },
  "call.downloaded": { label: "labelCallDownloaded", said: "saidCallDownloaded" },
  "call.changed": { label: "labelCallChanged", said: "saidCallChanged" },
  "call.erased": { label: "labelCallErased", said: "saidCallErased" },
  "calls.exported": { label: "labelCallsExported", said: "saidCallsExported" },
  "audit.exported": { label: "labelAuditExported", said: "saidAuditExported" },
  "campaign.created": { label: "labelCampaignCreated", said: "saidCampaignCreated" },
  "campaign.changed": { label: "labelCampaignChanged", said: "saidCampaignChanged" },
  "campaign.archived": { label: "labelCampaignArchived", said: "saidCampaignArchived" },
  "retention.changed": { label: "labelRetentionChanged", said: "saidRetentionChanged" },
  "retention.executed": { label: "labelRetentionExecuted", said: "saidRetentionExecuted" },
  "user.created": { label: "labelUserCreated", said: "saidUserCreated" },
  "user.changed": { label: "labelUserChanged", said: "saidUserChanged" },
  "user.deactivated": { label: "labelUserDeactivated", said: "saidUserDeactivated" },
  "session.created": { label: "labelSessionCreated", said: "saidSessionCreated" },
  "session.failed": { label: "labelSessionFailed", said: "saidSessionFailed" },
  "session.ended": { label: "labelSessionEnded", said: "saidSessionEnded" },
  "password.changed": { label: "labelPasswordChanged", said: "saidPasswordChanged" },
  "link.created": { label: "labelLinkCreated", said: "saidLinkCreated" },
  "key.created": { label: "labelKeyCreated", said: "saidKeyCreated" },
  "key.changed": { label: "labelKeyChanged", said: "saidKeyChanged" },
  "key.rotated": { label: "labelKeyRotated", said: "saidKeyRotated" },
  "key.revoked": { label: "labelKeyRevoked", said: "saidKeyRevoked" },
  "key.limits_changed": { label: "labelKeyLimitsChanged", said: "saidKeyLimitsChanged" },
  "webhook.created": { label: "labelWebhookCreated", said: "saidWebhookCreated" },
  "webhook.changed": { label: "labelWebhookChanged", said: "saidWebhookChanged" },
  "webhook.deleted": { label: "labelWebhookDeleted", said: "saidWebhookDeleted" },
  "webhook.secret_rotated": { label: "labelWebhookSecretRotated", said: "saidWebhookSecretRotated" },
  "hold.created": { label: "labelHoldCreated", said: "saidHoldCreated" },
  "hold.released": { label: "labelHoldReleased", said: "saidHoldReleased" },
  "erasure.requested": { label: "labelErasureRequested", said: "saidErasureRequested" },
  "erasure.done": { label: "labelErasureDone", said: "saidErasureDone" },
  "erasure.replayed": { label: "labelErasureReplayed", said: "saidErasureReplayed" },
  "workspace.changed": { label: "labelWorkspaceChanged", said: "saidWorkspaceChanged" },
  "workspace.limits_changed": { label: "labelWorkspaceLimitsChanged", said: "saidWorkspaceLimitsChanged" },
  "workspace.erased": { label: "labelWorkspaceErased", said: "saidWorkspaceErased" },
};

export const auditActions = Object.keys(texts) as AuditAction[];

export const isAuditAction = (text: string): text is AuditAction => text in texts;

export const actionTexts = (action: AuditAction): ActionTexts => texts[action];
