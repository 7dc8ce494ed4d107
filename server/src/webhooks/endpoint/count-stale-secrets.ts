import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { maxWebhooks } from "./list-webhooks.ts";

/** Counts the webhooks of a workspace whose secret is not encrypted with the current key, and those whose key is missing. */
export async function countStaleSecrets(app: App, workspaceId: string) {
  const { secretBox } = app;
  const rows = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("webhookEndpoint")
      .select(["secret", "previousSecret"])
      .where("workspaceId", "=", workspaceId)
      .limit(maxWebhooks)
      .execute(),
  );
  const stored = rows.map(({ secret, previousSecret }) => [secret, ...(previousSecret ? [previousSecret] : [])]);
  const stale = stored.filter((secrets) => secrets.some((secret) => !secret.startsWith(secretBox.prefix)));
  const unreadable = stored.filter((secrets) => !secrets.every((secret) => secretBox.canDecrypt(secret)));
  return { stale: stale.length, unreadable: unreadable.length };
}
