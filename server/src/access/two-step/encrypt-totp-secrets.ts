import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { totpPlace } from "./totp-factor.ts";

const batch = 500;

/** Encrypts TOTP secrets that are in plain text or use an older key. Returns the number of users updated. */
export async function encryptTotpSecrets(app: App, workspaceId: string): Promise<number> {
  for (let total = 0; ; ) {
    const count = await encryptBatch(app, workspaceId);
    total += count;
    if (count < batch) return total;
  }
}

/** Selects only secrets that still need encryption, so an interrupted run can be resumed. */
async function encryptBatch(app: App, workspaceId: string): Promise<number> {
  const { secretBox } = app;
  const current = `${secretBox.prefix}%`;
  return inWorkspace(app, workspaceId, async (tx) => {
    const rows = await tx
      .selectFrom("totpFactor")
      .select(["workspaceId", "userId", "secret", "pendingSecret"])
      .where("workspaceId", "=", workspaceId)
      .where((eb) => eb.or([eb("secret", "not like", current), eb("pendingSecret", "not like", current)]))
      .orderBy("userId")
      .limit(batch)
      .forNoKeyUpdate()
      .execute();
    for (const row of rows) {
      const place = totpPlace(row);
      const reencrypt = (stored: string | null) => stored && secretBox.encrypt(secretBox.decrypt(stored, place), place);
      await tx
        .updateTable("totpFactor")
        .set({ secret: reencrypt(row.secret), pendingSecret: reencrypt(row.pendingSecret) })
        .where("workspaceId", "=", workspaceId)
        .where("userId", "=", row.userId)
        .execute();
    }
    return rows.length;
  });
}

/** Counts secrets that `encryptTotpSecrets` would encrypt, and those that cannot be decrypted because the key is missing. */
export async function countStaleTotpSecrets(app: App, workspaceId: string) {
  const { secretBox } = app;
  const rows = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("totpFactor")
      .select("secret")
      .where("workspaceId", "=", workspaceId)
      .where("secret", "is not", null)
      .limit(10_000)
      .execute(),
  );
  const secrets = rows.flatMap(({ secret }) => secret ?? []);
  const stale = secrets.filter((secret) => !secret.startsWith(secretBox.prefix));
  return { stale: stale.length, unreadable: secrets.filter((secret) => !secretBox.canDecrypt(secret)).length };
}
