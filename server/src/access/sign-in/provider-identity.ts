import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { findUser } from "../../users/find-user.ts";
import { endSessions } from "../sessions/end-sessions.ts";

/** An account at the identity provider. Stable even if the email address changes. */
export interface ProviderAccount {
  readonly issuer: string;
  readonly subject: string;
}

/** An active user in any workspace. */
export interface ProviderUser {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly userId: string;
}

/** Finds the users linked to this account, in all workspaces. */
export async function findLinkedUsers({ db }: Pick<App, "db">, { issuer, subject }: ProviderAccount) {
  const { rows } = await sql<ProviderUser>`select * from find_provider_users(${issuer}, ${subject})`.execute(db);
  return rows;
}

/** The subject of the user's linked account at this issuer, if any. */
export async function findLinkedSubject(
  tx: Db,
  { workspaceId, userId }: Pick<ProviderUser, "workspaceId" | "userId">,
  issuer: string,
): Promise<string | undefined> {
  const linked = await tx
    .selectFrom("providerIdentity")
    .select("subject")
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  return linked?.subject;
}

/** Links an account at the first sign-in. Returns false if another account is linked. Call in the sign-in's transaction. */
export async function linkAccount(tx: Db, user: ProviderUser, { issuer, subject }: ProviderAccount): Promise<boolean> {
  const { workspaceId, userId } = user;
  const linked = await tx
    .insertInto("providerIdentity")
    .values({ workspaceId, userId, issuer, subject })
    .onConflict((conflict) => conflict.doNothing())
    .returning("userId")
    .executeTakeFirst();
  if (!linked) return (await findLinkedSubject(tx, user, issuer)) === subject;
  const actor = { type: "user", id: userId } as const;
  await recordAuditEntry(tx, workspaceId, { actor, action: "provider.linked", subject: { type: "user", id: userId } });
  return true;
}

/** Unlinks the account and ends the user's sessions. The next account with the verified email address is linked. */
export async function unlinkProvider(app: App, { workspaceId, actor }: WorkspaceActor, userId: string): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    await findUser(tx, workspaceId, userId, { lock: true });
    const unlinked = await tx
      .deleteFrom("providerIdentity")
      .where("workspaceId", "=", workspaceId)
      .where("userId", "=", userId)
      .returning("userId")
      .execute();
    if (unlinked.length === 0) return;
    await endSessions(tx, workspaceId, userId);
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "provider.unlinked",
      subject: { type: "user", id: userId },
    });
  });
}
