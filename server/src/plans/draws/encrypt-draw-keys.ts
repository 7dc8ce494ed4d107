import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { resealKeys } from "./draw-keys.ts";

const batch = 500;

const selectSealed = (tx: Db, workspaceId: string) =>
  tx
    .selectFrom("reviewDraw")
    .select(["workspaceId", "id", "sealedKey", "sealedSecondKey"])
    .where("workspaceId", "=", workspaceId)
    .where((draw) => draw.or([draw("sealedKey", "is not", null), draw("sealedSecondKey", "is not", null)]))
    .orderBy("id");

/** Encrypts keys of draws that are in plain text or use an older key. Returns the number of draws changed. */
export async function encryptDrawKeys(app: App, workspaceId: string): Promise<number> {
  for (let total = 0; ; ) {
    const changed = await encryptBatch(app, workspaceId);
    total += changed;
    if (changed < batch) return total;
  }
}

async function encryptBatch(app: App, workspaceId: string): Promise<number> {
  const current = `${app.secretBox.prefix}%`;
  return inWorkspace(app, workspaceId, async (tx) => {
    const draws = await selectSealed(tx, workspaceId)
      .where((draw) => draw.or([draw("sealedKey", "not like", current), draw("sealedSecondKey", "not like", current)]))
      .limit(batch)
      .forNoKeyUpdate()
      .execute();
    for (const draw of draws)
      await tx
        .updateTable("reviewDraw")
        .set(resealKeys(app, draw))
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", draw.id)
        .execute();
    return draws.length;
  });
}

/** Counts draws whose keys `encryptDrawKeys` would encrypt, and those that cannot be decrypted because the key is missing. */
export async function countStaleDrawKeys(app: App, workspaceId: string) {
  const { secretBox } = app;
  const draws = await inWorkspace(app, workspaceId, (tx) => selectSealed(tx, workspaceId).limit(10_000).execute());
  const stored = draws.map(({ sealedKey, sealedSecondKey }) =>
    [sealedKey, sealedSecondKey].filter((key) => key !== null),
  );
  return {
    stale: stored.filter((keys) => keys.some((key) => !key.startsWith(secretBox.prefix))).length,
    unreadable: stored.filter((keys) => !keys.every((key) => secretBox.canDecrypt(key))).length,
  };
}
