import type { Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import { memo } from "react";
import { ScoreBreakdown, ScoreSummary } from "../review-form/score-breakdown.tsx";
import { Section } from "../ui/section.tsx";
import { progressOf } from "./progress.ts";
import { useTexts } from "./texts.ts";

interface FinalScoreProps {
  readonly document: ScorecardDocument;
  readonly answers: Answers;
}

/** The score and what cost points, once every question is answered. */
export const FinalScore = memo(function FinalScore({ document, answers }: FinalScoreProps) {
  const { t } = useTexts();
  const { done, total } = progressOf(document, answers);
  if (done < total) return null;
  const result = calculateResult(document, answers);
  return (
    <Section small title={t("score")}>
      <ScoreSummary document={document} result={result} />
      <ScoreBreakdown document={document} result={result} />
    </Section>
  );
});
