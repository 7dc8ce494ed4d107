/** What leaves an entry in the audit log. A name once given never changes its meaning. */
export const auditActions = [
  "call.changed",
  "call.erased",
  "erasure.requested",
  "erasure.done",
  "erasure.replayed",
  "hold.created",
  "hold.released",
  "retention.changed",
  "retention.executed",
  "workspace.erased",
] as const;
export type AuditAction = (typeof auditActions)[number];
