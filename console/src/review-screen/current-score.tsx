import type { Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import { useMemo } from "react";
import { Score } from "../ui/score.tsx";

interface CurrentScoreProps {
  readonly document: ScorecardDocument;
  readonly answers: Answers;
}

/** The score of the answers given so far. */
export function CurrentScore({ document, answers }: CurrentScoreProps) {
  const { score, outcome } = useMemo(() => calculateResult(document, answers), [document, answers]);
  return <Score score={score} outcome={outcome} />;
}
