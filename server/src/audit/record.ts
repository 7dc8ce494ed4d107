import type { AuditAction } from "@hearback/contract";
import type { Actor } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";

export interface AuditEntry {
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  /** Ids, names of members and counts: never a value that a person typed. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface AuditPosition {
  readonly number: number;
  readonly hash: Buffer;
}

/**
 * Adds an entry to the workspace's audit log in the transaction of what it records. To be called last in it: until it
 * commits, nobody else can add one.
 */
export async function record(tx: Db, workspaceId: string, entry: AuditEntry): Promise<AuditPosition> {
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
      // The database gives these, whatever is sent.
      number: 0,
      at: new Date(0),
      hash: Buffer.alloc(0),
    })
    .returning(["number", "hash"])
    .executeTakeFirstOrThrow();
}
