import type { KeyBody } from "@hearback/sdk";

export type KeyStatus = "active" | "replaced" | "ended" | "revoked";

/** Status of a key. A replaced key can keep working until it expires. */
export function keyStatus(
  key: Pick<KeyBody, "expires_at" | "revoked_at" | "replaced_by">,
  now = Date.now(),
): KeyStatus {
  const ended = key.expires_at !== null && Date.parse(key.expires_at) <= now;
  if (key.replaced_by !== null) return "replaced";
  if (key.revoked_at !== null) return "revoked";
  return ended ? "ended" : "active";
}

/** Whether the key still works. */
export const isWorking = ({ expires_at, revoked_at }: Pick<KeyBody, "expires_at" | "revoked_at">, now = Date.now()) =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > now);
