import type { ListedSessionBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";

interface ListSessionsInput {
  readonly userId: string;
  /** The session that makes the request. */
  readonly current: string;
  /** Id of the last session of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists the active sessions of a user, newest first. */
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
  const { rows, next } = toPage(found, limit, ({ id }) => id);
  const sessions = rows.map(
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
  return { sessions, next };
}
