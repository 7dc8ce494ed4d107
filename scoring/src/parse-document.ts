import { ScorecardDocument } from "./document.ts";
import { type Parsed, parseWith } from "./problem.ts";

/** Parses a scorecard and fills in its defaults, or lists every problem with its JSON pointer and a fix. */
export const parseDocument = (input: unknown): Parsed<ScorecardDocument> => parseWith(ScorecardDocument, input);
