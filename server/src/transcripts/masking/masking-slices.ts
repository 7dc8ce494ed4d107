import { openTimeSlices, type TimeSlices } from "../../platform/async/time-slices.ts";

/** A call of two hours takes less than a second. */
const budgetMs = 20_000;

/** Masking took far longer than any call should. The words are not stored. */
export class MaskingTimeout extends Error {
  override name = "MaskingTimeout";
  constructor() {
    super("Finding card numbers in the words of the call took too long.");
  }
}

/** Slices that throw `MaskingTimeout` when all of them together are too long. */
export function openMaskingSlices(limitMs = budgetMs): TimeSlices {
  return openTimeSlices((usedMs) => {
    if (usedMs > limitMs) throw new MaskingTimeout();
  });
}
