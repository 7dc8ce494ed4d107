/** What leaves an entry in the audit log. A name once given never changes its meaning. */
export const auditActions = [
  "call.changed",
  "campaign.created",
  "campaign.changed",
  "campaign.archived",
  "user.created",
  "user.changed",
  "user.deactivated",
  "key.created",
  "key.changed",
  "key.revoked",
  "key.rotated",
  "workspace.changed",
  "webhook.created",
  "webhook.changed",
  "webhook.deleted",
  "webhook.secret_rotated",
] as const;
export type AuditAction = (typeof auditActions)[number];
