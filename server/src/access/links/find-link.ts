import type { LinkBody } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { hashToken, isToken } from "../../platform/token.ts";
import { findMailRecipient } from "../../users/mail/find-mail-recipient.ts";
import { isPasswordSignInOn } from "../../users/password-sign-in-setting.ts";
import type { UserRow } from "../../users/user-body.ts";
import { linkEnded } from "../errors.ts";

/** An unused, unexpired link. */
export type FoundLink =
  | { readonly kind: "setup"; readonly hash: Buffer }
  | {
      readonly kind: "invitation" | "reset" | "sign_in";
      readonly workspaceId: string;
      readonly id: string;
      readonly user: UserRow;
      readonly workspaceName: string;
    };

interface Row {
  readonly workspaceId: string;
  readonly id: string;
  readonly userId: string;
  readonly kind: "invitation" | "reset" | "sign_in";
}

/** Finds the link of a token. Used, expired, replaced and unknown tokens fail with the same error. */
export async function findLink(app: App, token: string): Promise<FoundLink> {
  if (!isToken(token)) throw linkEnded();
  const hash = hashToken(token);
  const { rows } = await sql<Row>`select * from find_access_link(${hash})`.execute(app.db);
  const [row] = rows;
  if (!row) return findSetupLink(app, hash);
  const { workspaceId, id, userId, kind } = row;
  const { user, workspace, usable } = await inWorkspace(app, workspaceId, async (tx) => ({
    ...(await findMailRecipient(tx, workspaceId, userId)),
    usable: kind === "sign_in" || (await isPasswordSignInOn(tx, workspaceId)),
  }));
  if (!user || user.deactivatedAt || !usable) throw linkEnded();
  return { kind, workspaceId, id, user, workspaceName: workspace.name };
}

async function findSetupLink(app: App, hash: Buffer): Promise<FoundLink> {
  const found = await app.db
    .selectFrom("setupLink")
    .select("hash")
    .where("hash", "=", hash)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
  if (!found) throw linkEnded();
  return { kind: "setup", hash };
}

export const toLinkBody = (link: FoundLink): LinkBody =>
  link.kind === "setup"
    ? { kind: "setup", email: null, name: null, workspace_name: null }
    : { kind: link.kind, email: link.user.email, name: link.user.name, workspace_name: link.workspaceName };
