import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer, Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Question } from "@hearback/scoring/question";
import { visibleQuestions } from "@hearback/scoring/visibility";
import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { QuestionCard } from "./question-card.tsx";
import classes from "./review-form.module.css";
import { useTexts } from "./texts.ts";

export interface ReviewFormProps {
  readonly document: ScorecardDocument;
  readonly answers: Answers;
  /** Must be stable: a new function renders every question again. Undefined removes the answer. */
  readonly onAnswer: (question: string, answer: Answer | undefined) => void;
  readonly readOnly?: boolean;
  /** More content of a question, such as its moments. Must be stable. */
  readonly slot?: (question: Question) => ReactNode;
}

/** The form that a reviewer fills in. Questions whose condition is false are left out. */
export function ReviewForm({ document, answers, onAnswer, readOnly = false, slot }: ReviewFormProps) {
  const { t } = useTexts();
  const visible = visibleQuestions(document, answers);
  const numbers = new Map([...visible].map((id, index) => [id, index + 1]));
  return (
    <Stack gap="lg" {...(document.language && { lang: document.language })}>
      {document.sections.map((section) => {
        const shown = section.questions.filter(({ id }) => visible.has(id));
        if (shown.length === 0) return null;
        const done = shown.filter(({ id }) => isAnswered(answerTo(answers, id))).length;
        return (
          <section key={section.id} aria-label={section.title}>
            <div className={classes.sectionHead}>
              <Title order={3} size="h6" className="breakable">
                {section.title}
              </Title>
              <Text size="xs" c="dimmed" className="tabular nowrap">
                <span aria-hidden="true">
                  {done}/{shown.length}
                </span>
                <span className={classes.hidden}>{t("answered", { done, total: shown.length })}</span>
              </Text>
            </div>
            <div className={classes.cards}>
              {shown.map((question) => (
                <QuestionCard
                  key={question.id}
                  question={question}
                  number={numbers.get(question.id) ?? 0}
                  answer={answerTo(answers, question.id)}
                  onAnswer={onAnswer}
                  readOnly={readOnly}
                  {...(slot && { slot })}
                />
              ))}
            </div>
          </section>
        );
      })}
    </Stack>
  );
}

export const isAnswered = (answer: Answer | undefined): boolean =>
  answer?.value !== undefined || answer?.not_applicable === true;
