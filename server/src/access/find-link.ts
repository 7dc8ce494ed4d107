import type { LinkBody } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { hashToken, isToken } from "../platform/token.ts";
import { findAddressee } from "../users/find-addressee.ts";
import type { User } from "../users/user-body.ts";

/** A link that can still be used. */
export type FoundLink =
  | { readonly kind: "setup"; readonly hash: Buffer }
  | {
      readonly kind: "invitation" | "reset";
      readonly workspaceId: string;
      readonly id: string;
      readonly user: User;
      readonly workspaceName: string;
    };

export const linkEnded = () =>
  new AppError(
    "link_ended",
    "The link was used already, has expired, or was replaced by a newer one. Ask for a new one.",
  );

interface Row {
  readonly workspaceId: string;
  readonly id: string;
  readonly userId: string;
  readonly kind: "invitation" | "reset";
}

/** The link of a token, or the refusal: used, expired, replaced and never made fail alike. */
export async function findLink(app: App, token: string): Promise<FoundLink> {
  if (!isToken(token)) throw linkEnded();
  const hash = hashToken(token);
  const { rows } = await sql<Row>`select * from find_access_link(${hash})`.execute(app.db);
  const [row] = rows;
  if (!row) return findSetupLink(app, hash);
  const { workspaceId, id, userId, kind } = row;
  const { user, workspace } = await inWorkspace(app, workspaceId, (tx) => findAddressee(tx, workspaceId, userId));
  if (!user || user.deactivatedAt) throw linkEnded();
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
