import type { ListedSessionBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

interface ListSessionsInput {
  readonly userId: string;
  /** The one that asks. */
  readonly current: string;
  /** The id of the last session of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The sessions of a person that have not ended, newest first. */
export async function listSessions(tx: Db, workspaceId: string, input: ListSessionsInput) {
  const { userId, current, cursor, limit } = input;
  const found = await tx
    .selectFrom("session")
    .select(["id", "userId", "createdAt", "lastSeenAt", "expiresAt", "signedInBy", "userAgent"])
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", sql<Date>`now()`)
    .where("idleUntil", ">", sql<Date>`now()`)
    .$if(cursor !== undefined, (rows) => rows.where("id", "<", cursor ?? ""))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const sessions = found.slice(0, limit).map(
    (session): ListedSessionBody => ({
      id: session.id,
      user_id: session.userId,
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
      signed_in_by: session.signedInBy as ListedSessionBody["signed_in_by"],
      user_agent: session.userAgent,
      current: session.id === current,
    }),
  );
  return { sessions, next: found.length > limit ? (sessions.at(-1)?.id ?? null) : null };
}
