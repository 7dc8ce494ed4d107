import type { ScorecardDocument } from "./document.ts";

/** The passing score in hundredths, as scores are stored. */
export const passingScore = (document: ScorecardDocument): number => Math.round(document.passing_score * 100);
