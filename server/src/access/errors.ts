import { type ConfirmationMethod, errorCodes, type SecondFactor } from "@hearback/contract";
import { defineError, errorVariant, notFound } from "../platform/errors.ts";

const exampleId = "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d";

export const signInFailed = defineError("sign_in_failed");
export const secondStepNeeded = defineError(
  "second_step_needed",
  (methods: readonly SecondFactor[]) => ({ detail: errorCodes.second_step_needed.detail, members: { methods } }),
  ["totp", "recovery_code"],
);
export const secondStepFailed = defineError("second_step_failed");
export const secondStepExpired = defineError("second_step_expired");
export const signInLimited = defineError(
  "sign_in_limited",
  (waitMs: number) => {
    const seconds = Math.ceil(waitMs / 1000);
    const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
    return { detail: `Too many attempts. Wait ${wait}, then try again.`, retryAfterSeconds: seconds };
  },
  30_000,
);
export const signInBusy = defineError("sign_in_busy", () => ({
  detail: errorCodes.sign_in_busy.detail,
  retryAfterSeconds: 2,
}));
export const workspaceAmbiguous = defineError(
  "workspace_ambiguous",
  (workspaces: readonly { readonly id: string; readonly name: string }[]) => ({
    detail: errorCodes.workspace_ambiguous.detail,
    members: { workspaces },
  }),
  [{ id: exampleId, name: "Acme" }],
);

export const confirmationNeeded = defineError(
  "confirmation_needed",
  (confirmBy: readonly ConfirmationMethod[]) => {
    const ways = { password: "POST /session/confirm with your password", oidc: "sign in again with your provider" };
    const how = confirmBy.map((way) => ways[way]).join(", or ");
    return {
      detail: `Confirm your identity to continue: ${how || "sign out and sign in again"}.`,
      members: { confirm_by: confirmBy },
    };
  },
  ["password"],
);
export const linkEnded = defineError("link_ended");
export const sessionNotFound = defineError("session_not_found");

export const passkeyNotFound = defineError("passkey_not_found");
export const passkeyLimitReached = defineError(
  "passkey_limit_reached",
  (max: number) => `You have ${max} passkeys, which is the maximum. Remove one first.`,
  20,
);
export const lastFactor = defineError("last_factor");
export const passkeysUnavailable = errorVariant(
  notFound,
  "PasskeysUnavailable",
  "Passkeys are unavailable: browsers require HTTPS and a host name. Ask the server operator to set PUBLIC_URL accordingly.",
);
export const noSecondFactor = errorVariant(
  notFound,
  "NoSecondFactor",
  "You have no second factor. Add one before you create recovery codes.",
);

export const keyNotFound = defineError(
  "key_not_found",
  (id: string) => `There is no API key ${id} in this workspace. List keys with GET /keys or \`key list\`.`,
  exampleId,
);
export const keyEnded = defineError(
  "key_ended",
  (id: string, ended: "is revoked" | "has expired" | { readonly replacedBy: string }) =>
    typeof ended === "string"
      ? `The key ${id} ${ended}. Create a new key with POST /keys.`
      : `The key ${id} was replaced by ${ended.replacedBy}. Use the replacement; rotate it with POST /keys/${ended.replacedBy}/rotate.`,
  exampleId,
  "is revoked",
);
export const keyExceedsCaller = defineError(
  "key_exceeds_caller",
  (why: string) =>
    `${why} Use a key with these permissions, sign in as an administrator, or use \`hearback-server key\`.`,
  "The other key has higher limits than this API key.",
);
export const lastManageKey = defineError(
  "last_manage_key",
  (id: string) =>
    `The key ${id} is the last one that can manage this workspace for another day. Create another key with the \`manage\` scope first (POST /keys), or rotate this one (POST /keys/${id}/rotate).`,
  exampleId,
);
