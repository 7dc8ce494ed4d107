import type { KeyBody } from "@hearback/sdk";

export type KeyStatus = "active" | "replaced" | "ended" | "revoked";

/** How a key stands. One that was replaced may go on working for a while: until it ends. */
export function keyStatus(
  key: Pick<KeyBody, "expires_at" | "revoked_at" | "replaced_by">,
  now = Date.now(),
): KeyStatus {
  const ended = key.expires_at !== null && Date.parse(key.expires_at) <= now;
  if (key.replaced_by !== null) return "replaced";
  if (key.revoked_at !== null) return "revoked";
  return ended ? "ended" : "active";
}

/** Whether it still opens anything. */
export const isWorking = ({ expires_at, revoked_at }: Pick<KeyBody, "expires_at" | "revoked_at">, now = Date.now()) =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > now);
