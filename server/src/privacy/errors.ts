import { defineError } from "../platform/errors.ts";

export const erasureNotFound = defineError("erasure_not_found");
export const erasureRunning = defineError("erasure_running");
export const holdNotFound = defineError("hold_not_found");
export const onHold = defineError("on_hold");
