import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

/**
 * The seed of the tickets that decide which drawn calls get a second review. The key is not that of the draw: it is published when the
 * reviews are done, so that nobody knows before which ones are checked.
 */
export const secondSeed = (secondKey: Uint8Array, drawSeed: Uint8Array): Uint8Array =>
  hmac(sha256, secondKey, drawSeed);

/** How many drawn calls get a second review: the share, rounded half up, in whole numbers. */
export const countSeconds = (drawn: number, percent: number): number => Math.floor((drawn * percent + 50) / 100);
