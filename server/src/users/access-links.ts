import type { LinkKind } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { hashToken, newToken } from "../platform/token.ts";
import { newUuidV7 } from "../platform/uuid-v7.ts";

const hourMs = 3_600_000;
/** Lifetime of each kind of link. */
export const linkTtlMs = {
  setup: hourMs,
  invitation: 7 * 24 * hourMs,
  reset: hourMs,
  sign_in: hourMs / 4,
} as const satisfies Record<LinkKind, number>;

/** A new link with its token in the URL. Only the token's hash is stored. */
export interface CreatedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** The token is in the fragment, which browsers do not send, so it does not end up in server logs. */
export const linkUrl = (app: App, token: string) => `${app.config.publicUrl}/console/welcome#${token}`;

/** The console's sign-in page. */
export const signInUrl = ({ config }: App) => `${config.publicUrl}/console/sign-in`;

export interface PersonalLink {
  readonly userId: string;
  readonly kind: "invitation" | "reset" | "sign_in";
  /** Shown to an administrator or operator. An email, which anyone can request, does not replace such a link. */
  readonly handedOver: boolean;
}

/** Creates a link for setting a password or signing in. Replaces the user's earlier links; an emailed link replaces only emailed ones. Call last in a transaction. */
export async function createLink(
  app: App,
  tx: Db,
  { workspaceId, actor }: WorkspaceActor,
  link: PersonalLink,
): Promise<CreatedLink> {
  const { userId, kind, handedOver } = link;
  const token = newToken();
  const expiresAt = new Date(Date.now() + linkTtlMs[kind]);
  await endLinks(tx, workspaceId, userId, { mailedOnly: !handedOver });
  await tx
    .insertInto("accessLink")
    .values({ workspaceId, id: newUuidV7(), userId, kind, handedOver, hash: hashToken(token), expiresAt })
    .execute();
  const subject = { type: "user", id: userId };
  await recordAuditEntry(tx, workspaceId, { actor, action: "link.created", subject, data: { kind } });
  return { url: linkUrl(app, token), expiresAt };
}

/** Uses up a link. Of concurrent requests, only one succeeds. */
export async function useLink(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const used = await tx
    .updateTable("accessLink")
    .set({ endedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
}

/** Deletes all links of a user or, without a user id, of the whole workspace. */
export async function removeLinks(tx: Db, workspaceId: string, userId?: string): Promise<void> {
  await tx
    .deleteFrom("accessLink")
    .where("workspaceId", "=", workspaceId)
    .$if(userId !== undefined, (links) => links.where("userId", "=", userId ?? ""))
    .execute();
}

export async function removeOldLinks(tx: Db, workspaceId: string, endedBefore: Date): Promise<void> {
  await tx
    .deleteFrom("accessLink")
    .where("workspaceId", "=", workspaceId)
    .where((eb) => eb.or([eb("endedAt", "<", endedBefore), eb("expiresAt", "<", endedBefore)]))
    .execute();
}

/** Revokes the unused links of a user. */
export async function endLinks(
  tx: Db,
  workspaceId: string,
  userId: string,
  { mailedOnly = false } = {},
): Promise<void> {
  await tx
    .updateTable("accessLink")
    .set({ endedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .$if(mailedOnly, (links) => links.where("handedOver", "=", false))
    .execute();
}
