import type { Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import { memo } from "react";
import { ScoreBreakdown, ScoreSummary } from "../review-form/score-breakdown.tsx";
import { Section } from "../ui/section.tsx";
import { useTexts } from "./texts.ts";

interface FinalScoreProps {
  readonly document: ScorecardDocument;
  readonly answers: Answers;
}

/** The score and what cost points. */
export const FinalScore = memo(function FinalScore({ document, answers }: FinalScoreProps) {
  const { t } = useTexts();
  const result = calculateResult(document, answers);
  return (
    <Section small title={t("score")}>
      <ScoreSummary document={document} result={result} />
      <ScoreBreakdown document={document} result={result} />
    </Section>
  );
});
