import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { passwordSignInNeeded } from "./errors.ts";

/** Throws unless an administrator has signed in with the provider. Otherwise, turning off password sign-in could lock everyone out. */
export async function requireProviderAdmin(
  { config }: Pick<App, "config">,
  tx: Db,
  workspaceId: string,
): Promise<void> {
  const admin =
    config.oidc &&
    (await tx
      .selectFrom("providerIdentity")
      .innerJoin("appUser", (join) =>
        join
          .onRef("appUser.workspaceId", "=", "providerIdentity.workspaceId")
          .onRef("appUser.id", "=", "providerIdentity.userId"),
      )
      .select("appUser.id")
      .where("providerIdentity.workspaceId", "=", workspaceId)
      .where(sql`rtrim(provider_identity.issuer, '/')`, "=", config.oidc.issuer.replace(/\/+$/, ""))
      .where("appUser.role", "=", "admin")
      .where("appUser.deactivatedAt", "is", null)
      .limit(1)
      .executeTakeFirst());
  if (admin) return;
  const why = config.oidc
    ? "No administrator of this workspace has signed in with the provider yet. Sign in with it first."
    : "No identity provider is configured. Set OIDC_ISSUER first.";
  throw passwordSignInNeeded(why);
}
