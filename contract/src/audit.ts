import { z } from "zod";
import { ExportFormat, exportOptions, exportParameters } from "./export.ts";
import { countTo } from "./page.ts";
import { Time } from "./time.ts";

/** What leaves an entry in the audit log. docs/audit.md explains each; a name once given never changes its meaning. */
export const auditActions = [
  "call.changed",
  "call.listened",
  "call.downloaded",
  "calls.exported",
  "audit.exported",
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
  "key.limits_changed",
  "session.created",
  "session.failed",
  "session.ended",
  "password.changed",
  "link.created",
  "workspace.changed",
  "workspace.limits_changed",
  "webhook.created",
  "webhook.changed",
  "webhook.deleted",
  "webhook.secret_rotated",
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

export const AuditEntryBody = z
  .object({
    number: z.int().meta({ description: "Its place in the workspace's log: 1, 2, 3, … without a gap." }),
    at: z.iso.datetime().meta({ description: "To the microsecond.", example: "2026-11-15T08:00:00.123456Z" }),
    actor: z.object({
      type: z.enum(["key", "user", "operator", "system"]).meta({
        description: "operator: somebody at the command line of the installation. system: a job of the service itself.",
      }),
      id: z.uuid().nullable(),
    }),
    action: z.string().meta({
      description: `One of ${auditActions.join(", ")}; more may come.`,
      example: "call.listened",
    }),
    subject: z.object({ type: z.string().meta({ example: "call" }), id: z.string() }),
    data: z.record(z.string(), z.unknown()).meta({ description: "Ids, names and counts; nothing personal." }),
    hash: z.string().meta({ description: "Covers this entry and the hash before it; hexadecimal. docs/audit.md." }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntryBody = z.output<typeof AuditEntryBody>;

export const AuditPageBody = z
  .object({
    entries: z.array(AuditEntryBody),
    next: z.int().nullable().meta({
      description: "What to send as `before` for older entries, or as `after` if that was given; null: no more now.",
    }),
  })
  .meta({ id: "AuditPage" });
export type AuditPageBody = z.output<typeof AuditPageBody>;

const EntryNumber = z
  .string()
  .regex(/^\d{1,15}$/, "must be the number of an entry, such as 120")
  .transform(Number);

const filters = {
  action: z
    .union([z.string(), z.array(z.string())])
    .transform((actions) => [...new Set([actions].flat())])
    .pipe(z.array(z.enum(auditActions, `must be one of ${auditActions.join(", ")}`)).max(20, "may be given 20 times"))
    .optional(),
  subject: z
    .string("may be given once")
    .regex(/^[a-z_]{1,50}:[A-Za-z0-9._-]{1,200}$/, "must be a kind and an id, such as call:0190…")
    .transform((subject) => {
      const [type = "", id = ""] = subject.split(/:(.*)/s);
      return { type, id };
    })
    .optional(),
  actor: z
    .uuid("must be the id of a key or a user")
    .transform((id) => id.toLowerCase())
    .optional(),
  from: Time.optional(),
  to: Time.optional(),
  after: EntryNumber.optional(),
};

export const ListAuditQuery = z
  .object({ ...filters, before: EntryNumber.optional(), limit: countTo(200, 50) })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ["before"],
    error: "cannot be given together with after: after goes from older to newer, before the other way",
  });
export type ListAuditQuery = z.output<typeof ListAuditQuery>;

export const ExportAuditQuery = z.object({ ...filters, ...exportOptions });
export type ExportAuditQuery = z.output<typeof ExportAuditQuery>;

const filterParameters = {
  action: z
    .array(z.enum(auditActions))
    .max(20)
    .optional()
    .meta({ description: "Only entries of this action; may be repeated." }),
  subject: z
    .string()
    .max(251)
    .optional()
    .meta({ description: "Only what happened to this: its kind and id.", example: "call:0190f3c2-…" }),
  actor: z.uuid().optional().meta({ description: "Only what this key or this person did." }),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: "Entries from this time on …" }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: "… and before this time." }),
};

/** The query as documented. */
export const ListAuditParameters = z.object({
  ...filterParameters,
  after: z.int().min(0).optional().meta({
    description: "Entries after this number, oldest first; 0 begins with the first. Absent: newest first.",
  }),
  before: z.int().min(0).optional().meta({ description: "Entries before this number, newest first." }),
  limit: z.int().min(1).max(200).default(50),
});

export const ExportAuditParameters = z.object({
  format: ExportFormat,
  ...filterParameters,
  after: z.int().min(0).optional().meta({ description: "Only entries after this number." }),
  ...exportParameters,
});
