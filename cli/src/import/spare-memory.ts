import { setFlagsFromString } from "node:v8";

/**
 * Keeps the space for short-lived objects as small as it is: it would grow to 48 MB while a million rows go by, and be
 * hardly faster for it. To be called first of all.
 */
export function spareMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
