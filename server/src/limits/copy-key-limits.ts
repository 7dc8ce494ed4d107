import type { Db } from "../platform/database/database.ts";

/** Gives a key the limits of the one whose place it takes. */
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
