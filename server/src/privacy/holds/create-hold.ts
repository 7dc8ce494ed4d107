import type { CreateHoldBody, HoldBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor, WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { LegalHold } from "../../platform/database/tables.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { requireSubject, type Subject } from "../require-subject.ts";
import { lockHolds } from "./legal-holds-sql.ts";

export type Hold = Selectable<LegalHold>;

/** Creates a legal hold, which prevents erasure until it is released. Waits for erasure batches in progress. */
export async function createHold(
  app: App,
  { workspaceId, actor }: WorkspaceActor,
  { subject, reason }: { subject: Subject; reason: string },
): Promise<Hold> {
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockHolds(tx, workspaceId, "hold");
    await requireSubject(tx, workspaceId, subject);
    const hold = await tx
      .insertInto("legalHold")
      .values({
        workspaceId,
        id: newUuidV7(),
        subjectType: subject.type,
        subjectId: subject.id,
        reason,
        createdByType: actor.type,
        createdById: actor.id,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const data = { [`${subject.type}_id`]: subject.id };
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "hold.created",
      subject: { type: "hold", id: hold.id },
      data,
    });
    return hold;
  });
}

/** Returns the subject of the request. Throws unless exactly one is given. */
export function toHoldSubject({ call_id, agent_id, campaign_id }: CreateHoldBody): Subject {
  const subjects = [
    { type: "call" as const, id: call_id },
    { type: "agent" as const, id: agent_id },
    { type: "campaign" as const, id: campaign_id },
  ].flatMap(({ type, id }) => (id === undefined ? [] : [{ type, id }]));
  const [subject] = subjects;
  if (subject && subjects.length === 1) return subject;
  const detail = "Send exactly one of call_id, agent_id and campaign_id.";
  throw fieldInvalid("body", "not_exactly_one", detail);
}

export function toHoldBody(hold: Hold): HoldBody {
  const subjectIdOf = (type: Subject["type"]) => (hold.subjectType === type ? hold.subjectId : null);
  const { releasedByType, releasedAt } = hold;
  return {
    id: hold.id,
    call_id: subjectIdOf("call"),
    agent_id: subjectIdOf("agent"),
    campaign_id: subjectIdOf("campaign"),
    reason: hold.reason,
    active: releasedAt === null,
    created_by: { type: hold.createdByType as Actor["type"], id: hold.createdById },
    created_at: hold.createdAt.toISOString(),
    released_by: releasedByType ? { type: releasedByType as Actor["type"], id: hold.releasedById } : null,
    released_at: releasedAt?.toISOString() ?? null,
  };
}
