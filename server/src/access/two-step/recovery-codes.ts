import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { UserRef } from "./find-factors.ts";
import { hashRecoveryCode, newRecoveryCode, recoveryCodeCount } from "./recovery-code.ts";

/** Replaces a user's recovery codes. Only hashes are stored, so this is the only time the codes are returned. */
export async function createRecoveryCodes(tx: Db, { workspaceId, userId }: UserRef): Promise<string[]> {
  const before = tx.deleteFrom("recoveryCode").where("workspaceId", "=", workspaceId);
  await before.where("userId", "=", userId).execute();
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const rows = codes.map((code) => ({ workspaceId, userId, hash: hashRecoveryCode(userId, code) }));
  await tx.insertInto("recoveryCode").values(rows).execute();
  return codes;
}

/** Redeems a recovery code. Returns false if it is unknown or used. Of concurrent requests, one succeeds. */
export async function redeemRecoveryCode(tx: Db, { workspaceId, userId }: UserRef, typed: string): Promise<boolean> {
  const used = await tx
    .updateTable("recoveryCode")
    .set({ usedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("hash", "=", hashRecoveryCode(userId, typed))
    .where("usedAt", "is", null)
    .returning("hash")
    .executeTakeFirst();
  return used !== undefined;
}
