import type { App } from "../../platform/app.ts";
import type { Role, SessionCaller } from "../../platform/caller.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import { notSignedIn } from "../../platform/errors.ts";
import { hashToken, isToken } from "../../platform/token.ts";
import { cacheLookup } from "../cache-lookup.ts";

interface Found extends SessionCaller {
  readonly endsAt: Date;
}

interface SessionRow {
  workspaceId: string;
  id: string;
  userId: string;
  role: Role;
  endsAt: Date;
  twoStepNeeded: boolean;
}

/** Returns a function that authenticates a session cookie. Malformed, unknown and ended sessions and deactivated users fail with the same error. */
export function openSessionLookup(app: App): (token: string, onUnknown?: () => void) => Promise<SessionCaller> {
  const find = cacheLookup(async (hash): Promise<Found | undefined> => {
    const [row] = await preparedStatement<SessionRow>(app.db, "find-session-caller")`
      select * from find_session_caller(${hash})`;
    if (!row) return undefined;
    const { workspaceId, id: sessionId, userId, role, endsAt, twoStepNeeded } = row;
    const agentId = role === "agent" ? userId : null;
    const user = { userId, role, agentId, twoStepNeeded };
    return { kind: "session", workspaceId, sessionId, ...user, campaignIds: null, endsAt };
  });

  return async (token, onUnknown) => {
    const valid = isToken(token);
    if (!valid) onUnknown?.();
    const found = valid ? await find(hashToken(token), onUnknown) : undefined;
    if (!found || found.endsAt.getTime() <= Date.now()) throw notSignedIn();
    return found;
  };
}
