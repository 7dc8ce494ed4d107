import { type FairSemaphore, openFairSemaphore } from "../async/fair-semaphore.ts";

export type ByteSemaphore = FairSemaphore;

/**
 * A fair semaphore that counts bytes. An owner may hold up to twice as many bytes as are left: two thirds of all if
 * alone, so that there is always something left for the next owner.
 */
export const openByteSemaphore = (total: number): ByteSemaphore =>
  openFairSemaphore(total, (held, left) => Math.floor((2 * left - held) / 3));
