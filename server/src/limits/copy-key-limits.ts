import type { Db } from "../platform/database/database.ts";

/** Copies the limits of one key to another. */
export async function copyKeyLimits(tx: Db, workspaceId: string, from: string, to: string): Promise<void> {
  await tx
    .insertInto("apiKeyLimit")
    .columns(["workspaceId", "keyId", "requestsPerSecond", "uploadsAtOnce"])
    .expression((eb) =>
      eb
        .selectFrom("apiKeyLimit")
        .select((eb) => ["workspaceId", eb.cast<string>(eb.val(to), "uuid").as("keyId")])
        .select(["requestsPerSecond", "uploadsAtOnce"])
        .where("workspaceId", "=", workspaceId)
        .where("keyId", "=", from),
    )
    .execute();
}
