/** What leaves an entry in the audit log. A name once given never changes its meaning. */
export const auditActions = ["call.changed", "key.limits_changed", "workspace.limits_changed"] as const;
export type AuditAction = (typeof auditActions)[number];
