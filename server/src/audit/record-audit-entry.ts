import type { AuditAction } from "@hearback/contract";
import type { Actor } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";

export interface AuditEntry {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  /** Ids, field names and counts only, never user input. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface AuditPosition {
  readonly number: number;
  readonly hash: Buffer;
}

/**
 * Adds an entry to the workspace's audit log in the transaction of the recorded change. Call last in the transaction: it
 * locks the log until the commit.
 */
export async function recordAuditEntry(tx: Db, workspaceId: string, entry: AuditEntry): Promise<AuditPosition> {
  const { actor, action, subject, data = {} } = entry;
  return tx
    .insertInto("auditEntry")
    .values({
      workspaceId,
      actorType: actor.type,
      actorId: actor.id,
      action,
      subjectType: subject.type,
      subjectId: subject.id,
      data: JSON.stringify(data),
      // A database trigger sets these.
      number: 0,
      at: new Date(0),
      hash: Buffer.alloc(0),
    })
    .returning(["number", "hash"])
    .executeTakeFirstOrThrow();
}
