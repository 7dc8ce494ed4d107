import { defineError } from "../platform/errors.ts";

export const downloadForbidden = defineError("download_forbidden");

export const passwordSignInNeeded = defineError(
  "password_sign_in_needed",
  (why: string) => `Password sign-in cannot be turned off. ${why}`,
  "No administrator of this workspace has signed in with the provider yet. Sign in with it first.",
);

export const transcriptionNotConfigured = defineError("transcription_not_configured");
