import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { exportOptions } from "./export.ts";
import { documentedAs, exampleOf, integerUpTo } from "./page.ts";
import { Time } from "./time.ts";

/** Actions recorded in the audit log, explained in docs/audit.md. Stable: an action never changes its meaning. */
export const auditActions = [
  "call.changed",
  "call.listened",
  "call.downloaded",
  "call.transcript_read",
  "call.transcript_corrected",
  "call.transcription_requested",
  "call.original_erased",
  "calls.exported",
  "audit.exported",
  "campaign.created",
  "campaign.changed",
  "campaign.archived",
  "note.created",
  "note.changed",
  "note.deleted",
  "plan.created",
  "plan.changed",
  "plan.ended",
  "draw.committed",
  "draw.nonce_set",
  "draw.closed",
  "draw.second_key_published",
  "assignment.skipped",
  "assignment.handed_back",
  "assignment.reassigned",
  "review.started",
  "review.discarded",
  "review.submitted",
  "review.released",
  "review.reopened",
  "review.corrected",
  "review.voided",
  "review.acknowledged",
  "review.disputed",
  "review.resolved",
  "dispute.assigned",
  "dispute.test_case_changed",
  "calibration.created",
  "calibration.changed",
  "calibration.closed",
  "calibration.decided",
  "calibration.deleted",
  "reviews.expired",
  "reviews.exported",
  "scorecard.created",
  "scorecard.changed",
  "scorecard.published",
  "scorecard.draft_discarded",
  "scorecard.retired",
  "scorecard.what_if_started",
  "team.created",
  "team.changed",
  "team.deleted",
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
  "provider.linked",
  "provider.unlinked",
  "two_step.added",
  "two_step.removed",
  "two_step.codes_created",
  "two_step.reset",
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
    number: z.int().meta({ description: "Position in the workspace's log: 1, 2, 3, … without gaps." }),
    at: z.iso.datetime().meta({ description: "Microsecond precision.", example: "2026-11-15T08:00:00.123456Z" }),
    actor: ActorRef,
    action: z.string().meta({
      description: `One of ${auditActions.join(", ")}. More may be added.`,
      example: "call.listened",
    }),
    subject: z.object({ type: z.string().meta({ example: "call" }), id: z.string() }),
    data: z.record(z.string(), z.unknown()).meta({ description: "IDs, names and counts. Contains no personal data." }),
    hash: z
      .string()
      .meta({ description: "Hash of this entry and the previous entry's hash, in hexadecimal. See docs/audit.md." }),
  })
  .meta({
    id: "AuditEntry",
    examples: [
      {
        number: 120,
        at: "2026-11-15T08:00:00.123456Z",
        actor: { type: "user", id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
        action: "call.listened",
        subject: { type: "call", id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d" },
        data: { form: "playback" },
        hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      },
    ],
  });
export type AuditEntryBody = z.output<typeof AuditEntryBody>;

export const AuditPageBody = z
  .object({
    entries: z.array(AuditEntryBody),
    next: z.int().nullable().meta({
      description:
        "Pass this as `before` to get older entries, or as `after` if you used `after`. null: no more entries.",
    }),
  })
  .meta({ id: "AuditPage", examples: [{ entries: [exampleOf(AuditEntryBody)], next: 120 }] });
export type AuditPageBody = z.output<typeof AuditPageBody>;

const entryNumber = (description: string) =>
  documentedAs(
    z
      .string()
      .regex(/^\d{1,15}$/, "must be an entry number, such as 120")
      .transform(Number),
    { type: "integer", minimum: 0 },
  )
    .optional()
    .meta({ description });

const filters = {
  action: documentedAs(
    z
      .union([z.string(), z.array(z.string())])
      .transform((actions) => [...new Set([actions].flat())])
      .pipe(
        z
          .array(z.enum(auditActions, `must be one of ${auditActions.join(", ")}`))
          .max(20, "must not be repeated more than 20 times"),
      ),
    { type: "array", items: { type: "string", enum: auditActions }, maxItems: 20 },
  )
    .optional()
    .meta({ description: "Only entries with this action. Repeat to match any of several." }),
  subject: z
    .string("must not be repeated")
    .regex(/^[a-z_]{1,50}:[A-Za-z0-9._-]{1,200}$/, "must be a type and an id, such as call:0190…")
    .transform((subject) => {
      const [type = "", id = ""] = subject.split(/:(.*)/s);
      return { type, id };
    })
    .optional()
    .meta({
      description: "Only entries about this object, as type:id.",
      example: "call:0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
    }),
  actor: z
    .uuid("must be the id of a key or a user")
    .transform((id) => id.toLowerCase())
    .optional()
    .meta({ description: "Only actions of this API key or user, by id." }),
  from: Time.optional().meta({ description: "Entries at or after this time." }),
  to: Time.optional().meta({ description: "Entries before this time." }),
};

export const ListAuditQuery = z
  .object({
    ...filters,
    after: entryNumber("Entries after this number, oldest first; 0 starts at the first entry. Omit for newest first."),
    before: entryNumber("Entries before this number, newest first."),
    limit: integerUpTo(200, 50),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ["before"],
    error: "cannot be combined with after: after lists older entries first, before lists newer entries first",
  });
export type ListAuditQuery = z.output<typeof ListAuditQuery>;

export const ExportAuditQuery = z.object({
  ...exportOptions,
  ...filters,
  after: entryNumber("Only entries after this number."),
});
export type ExportAuditQuery = z.output<typeof ExportAuditQuery>;
