import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { maxWebhooks } from "./list-webhooks.ts";
import { webhookSecretLocation } from "./webhook-secret.ts";

/** Encrypts webhook secrets that are in plain text or use an older key. Returns the number of webhooks changed. */
export async function encryptWebhookSecrets(app: App, workspaceId: string): Promise<number> {
  const { secretBox } = app;
  return inWorkspace(app, workspaceId, async (tx) => {
    const rows = await tx
      .selectFrom("webhookEndpoint")
      .select(["workspaceId", "id", "secret", "previousSecret"])
      .where("workspaceId", "=", workspaceId)
      .where((eb) =>
        eb.or([
          eb("secret", "not like", `${secretBox.prefix}%`),
          eb("previousSecret", "not like", `${secretBox.prefix}%`),
        ]),
      )
      .orderBy("id")
      .limit(maxWebhooks)
      .forNoKeyUpdate()
      .execute();
    for (const row of rows) {
      const reencrypt = (stored: string) => {
        const location = webhookSecretLocation(row);
        return secretBox.encrypt(secretBox.decrypt(stored, location), location);
      };
      await tx
        .updateTable("webhookEndpoint")
        .set({ secret: reencrypt(row.secret), previousSecret: row.previousSecret && reencrypt(row.previousSecret) })
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", row.id)
        .execute();
    }
    return rows.length;
  });
}
