import type { Answer, Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import { visibleQuestions } from "@hearback/scoring/visibility";
import { Button, Collapse, Group, Paper, Text, VisuallyHidden } from "@mantine/core";
import { useCallback, useId, useMemo, useState } from "react";
import { isAnswered, ReviewForm } from "../review-form/review-form.tsx";
import { ScoreBreakdown, ScoreSummary } from "../review-form/score-breakdown.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import classes from "./preview.module.css";
import { useTexts } from "./texts.ts";

const noAnswers: Answers = {};

/** The form as reviewers see it. Answers are calculated like those of a review and not saved. */
export function Preview({ document }: { readonly document: ScorecardDocument }) {
  const { t } = useTexts();
  const [answers, setAnswers] = useState<Answers>(noAnswers);
  const [isOpen, setOpen] = useState(false);
  const breakdown = useId();
  const answer = useCallback(
    (question: string, next: Answer | undefined) =>
      setAnswers((before) => {
        const { [question]: _, ...others } = before;
        return next ? { ...others, [question]: next } : others;
      }),
    [],
  );
  const result = useMemo(() => calculateResult(document, answers), [document, answers]);
  const visible = useMemo(() => visibleQuestions(document, answers), [document, answers]);
  if (document.sections.every(({ questions }) => questions.length === 0))
    return (
      <EmptyState icon="scorecard" title={t("previewEmpty")}>
        <Text size="sm">{t("previewEmptyDetail")}</Text>
      </EmptyState>
    );
  const done = [...visible].filter((id) => isAnswered(answers[id])).length;
  return (
    <div>
      <VisuallyHidden component="h2">{t("preview")}</VisuallyHidden>
      <Paper withBorder className={classes.score}>
        <Group justify="space-between" wrap="nowrap" gap="sm">
          <ScoreSummary document={document} result={result} />
          <Text size="xs" c="dimmed" ta="right" className="tabular">
            {t("answeredCount", { done, total: visible.size })}
          </Text>
        </Group>
        {done > 0 && (
          <Group gap={4} mt={8} ml={-6}>
            <Button
              variant="subtle"
              size="compact-xs"
              aria-expanded={isOpen}
              aria-controls={breakdown}
              leftSection={<Icon name={isOpen ? "chevronDown" : "chevronRight"} size={12} />}
              onClick={() => setOpen(!isOpen)}
            >
              {t("breakdown")}
            </Button>
            <Button variant="subtle" color="gray" c="dimmed" size="compact-xs" onClick={() => setAnswers(noAnswers)}>
              {t("clearAnswers")}
            </Button>
          </Group>
        )}
        <Collapse expanded={isOpen && done > 0} id={breakdown} transitionDuration={0}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has nothing else to focus */}
          <section className={classes.breakdown} tabIndex={0} aria-label={t("breakdown")}>
            <ScoreBreakdown document={document} result={result} />
          </section>
        </Collapse>
      </Paper>
      <ReviewForm document={document} answers={answers} onAnswer={answer} />
    </div>
  );
}
