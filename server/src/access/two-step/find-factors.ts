import type { SecondFactor, TwoStepBody, TwoStepRule } from "@hearback/contract";
import type { Role } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";

export const maxPasskeys = 20;

export interface UserRef {
  readonly workspaceId: string;
  readonly userId: string;
}

/** The second-step methods of a user; empty: no second factor. */
export async function findMethods(tx: Db, user: UserRef): Promise<SecondFactor[]> {
  const { totp, passkeys, recovery_codes_left } = await findFactors(tx, user);
  const factors = [...(totp ? (["totp"] as const) : []), ...(passkeys.length > 0 ? (["passkey"] as const) : [])];
  return factors.length > 0 && recovery_codes_left > 0 ? [...factors, "recovery_code"] : factors;
}

/** The confirmed factors of a user. */
export async function findFactors(tx: Db, { workspaceId, userId }: UserRef): Promise<Omit<TwoStepBody, "required">> {
  const totp = await tx
    .selectFrom("totpFactor")
    .select("confirmedAt")
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("confirmedAt", "is not", null)
    .executeTakeFirst();
  const passkeys = await tx
    .selectFrom("passkey")
    .select(["id", "name", "createdAt", "lastUsedAt"])
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .limit(maxPasskeys)
    .execute();
  const { left } = await tx
    .selectFrom("recoveryCode")
    .select((eb) => eb.fn.countAll<number>().as("left"))
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("usedAt", "is", null)
    .executeTakeFirstOrThrow();
  return {
    totp: totp?.confirmedAt ? { confirmed_at: totp.confirmedAt.toISOString() } : null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt?.toISOString() ?? null,
    })),
    recovery_codes_left: left,
  };
}

/** Whether the workspace requires a second factor for this role. */
export async function requiresTwoStep(tx: Db, workspaceId: string, role: Role): Promise<boolean> {
  const found = await tx
    .selectFrom("workspace")
    .select("settings")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const rule = (found.settings as { two_step?: TwoStepRule }).two_step ?? "optional";
  return rule === "all" || (rule === "admins" && role === "admin");
}
