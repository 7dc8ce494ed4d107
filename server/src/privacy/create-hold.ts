import type { CreateHoldBody, HoldBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import { record } from "../audit/record.ts";
import type { Acting, Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { LegalHold } from "../platform/database/tables.ts";
import { AppError } from "../platform/errors.ts";
import { newIdByTime } from "../platform/ids-by-time.ts";
import { findSubject, type Subject } from "./find-subject.ts";
import { lockHolds } from "./held.ts";

export type Hold = Selectable<LegalHold>;

/** Forbids that something is erased, until it is released. It waits for a batch of an erasure that is under way. */
export async function createHold(
  app: App,
  { workspaceId, actor }: Acting,
  { subject, reason }: { subject: Subject; reason: string },
): Promise<Hold> {
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockHolds(tx, workspaceId, "to hold");
    await findSubject(tx, workspaceId, subject);
    const hold = await tx
      .insertInto("legalHold")
      .values({
        workspaceId,
        id: newIdByTime(),
        subjectType: subject.type,
        subjectId: subject.id,
        reason,
        createdByType: actor.type,
        createdById: actor.id,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const about = { [`${subject.type}_id`]: subject.id };
    await record(tx, workspaceId, {
      actor,
      action: "hold.created",
      subject: { type: "hold", id: hold.id },
      data: about,
    });
    return hold;
  });
}

/** What a caller has named: exactly one thing. */
export function heldSubject({ call_id, agent_id, campaign_id }: CreateHoldBody): Subject {
  const named = [
    { type: "call" as const, id: call_id },
    { type: "agent" as const, id: agent_id },
    { type: "campaign" as const, id: campaign_id },
  ].flatMap(({ type, id }) => (id === undefined ? [] : [{ type, id }]));
  const [subject] = named;
  if (subject && named.length === 1) return subject;
  const detail = "Name exactly one of call_id, agent_id and campaign_id.";
  throw new AppError("fields_invalid", detail, { issues: [{ part: "body", code: "not_exactly_one", detail }] });
}

export function toHoldBody(hold: Hold): HoldBody {
  const about = (type: Subject["type"]) => (hold.subjectType === type ? hold.subjectId : null);
  const { releasedByType, releasedAt } = hold;
  return {
    id: hold.id,
    call_id: about("call"),
    agent_id: about("agent"),
    campaign_id: about("campaign"),
    reason: hold.reason,
    active: releasedAt === null,
    created_by: { type: hold.createdByType as Actor["type"], id: hold.createdById },
    created_at: hold.createdAt.toISOString(),
    released_by: releasedByType ? { type: releasedByType as Actor["type"], id: hold.releasedById } : null,
    released_at: releasedAt?.toISOString() ?? null,
  };
}
