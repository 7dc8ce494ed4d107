import type { Stretch } from "./lines.ts";

/** The form of a review, seen from the transcript. */
export interface EvidenceTarget {
  /** Adds a moment to the answer of the current question. Undefined: there is no question. */
  readonly attach: (stretch: Stretch) => AttachResult | undefined;
}

export interface AttachResult {
  /** Title of the question. */
  readonly question: string;
  /** The answer has as many moments as it can have; none was added. */
  readonly isFull: boolean;
}
