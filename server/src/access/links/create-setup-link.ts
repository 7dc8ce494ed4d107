import type { App } from "../../platform/app.ts";
import { hashToken, newToken } from "../../platform/token.ts";
import { type CreatedLink, linkTtlMs, linkUrl } from "../../users/access-links.ts";

/** Creates a link for setting up a workspace and its first administrator. */
export async function createSetupLink(app: App): Promise<CreatedLink> {
  const token = newToken();
  const expiresAt = new Date(Date.now() + linkTtlMs.setup);
  await app.db
    .insertInto("setupLink")
    .values({ hash: hashToken(token), expiresAt })
    .execute();
  return { url: linkUrl(app, token), expiresAt };
}
