import type { App } from "../platform/app.ts";
import { hashToken, newToken } from "../platform/token.ts";
import { linkLifeMs, linkUrl, type MadeLink } from "../users/make-link.ts";

/** Makes a link that leads to the page where the first administrator is made. */
export async function makeSetupLink(app: App): Promise<MadeLink> {
  const token = newToken();
  const expiresAt = new Date(Date.now() + linkLifeMs.setup);
  await app.db
    .insertInto("setupLink")
    .values({ hash: hashToken(token), expiresAt })
    .execute();
  return { url: linkUrl(app, token), expiresAt };
}
