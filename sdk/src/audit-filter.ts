import type { ListAudit } from "./generated/resources.ts";

export type AuditFilter = Omit<ListAudit, "before" | "limit" | "signal">;
