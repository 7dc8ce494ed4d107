import type { ReviewBody } from "@hearback/sdk";

/** Whether reviews of this selection measure agreement only: they are submitted, but never released. */
export const isNeverReleased = (selection: ReviewBody["selection"]): boolean =>
  selection === "calibration" || selection === "second";
