import { defineError } from "../platform/errors.ts";

export const cursorExpired = defineError("cursor_expired");
