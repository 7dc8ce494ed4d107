import type { App } from "../platform/app.ts";
import type { Role, SessionCaller } from "../platform/caller.ts";
import { prepared } from "../platform/database/prepared.ts";
import { notSignedIn } from "../platform/errors.ts";
import { hashToken, isToken } from "../platform/token.ts";
import { believe } from "./believe.ts";

interface Found extends SessionCaller {
  readonly endsAt: Date;
}

interface SessionRow {
  workspaceId: string;
  id: string;
  userId: string;
  role: Role;
  endsAt: Date;
}

/** Gives a function from a cookie's value to its caller. Malformed, unknown, ended and deactivated fail alike. */
export function openSessionLookup(app: App): (token: string) => Promise<SessionCaller> {
  const find = believe(async (hash): Promise<Found | undefined> => {
    const [row] = await prepared<SessionRow>(app.db, "find-session")`select * from find_session(${hash})`;
    if (!row) return undefined;
    const { workspaceId, id: sessionId, userId, role, endsAt } = row;
    const agentId = role === "agent" ? userId : null;
    return { kind: "session", workspaceId, sessionId, userId, role, campaignIds: null, agentId, endsAt };
  });

  return async (token) => {
    const found = isToken(token) ? await find(hashToken(token)) : undefined;
    if (!found || found.endsAt.getTime() <= Date.now()) throw notSignedIn();
    return found;
  };
}
