import type { AuditEntryBody } from "@hearback/contract";
import { type StoredEntry, toTime } from "./audit-text.ts";

export const toAuditEntryBody = (entry: StoredEntry): AuditEntryBody => ({
  number: entry.number,
  at: toTime(entry.atMicros),
  actor: { type: entry.actorType as AuditEntryBody["actor"]["type"], id: entry.actorId },
  action: entry.action,
  subject: { type: entry.subjectType, id: entry.subjectId },
  data: JSON.parse(entry.data) as AuditEntryBody["data"],
  hash: entry.hash.toString("hex"),
});
