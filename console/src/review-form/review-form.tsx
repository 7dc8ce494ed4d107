import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer, Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument, Section } from "@hearback/scoring/document";
import type { Question } from "@hearback/scoring/question";
import { visibleQuestions } from "@hearback/scoring/visibility";
import { Stack, Title } from "@mantine/core";
import { memo, type ReactNode, useDeferredValue } from "react";
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
export function ReviewForm({ document, answers, ...form }: ReviewFormProps) {
  const visible = visibleQuestions(document, answers);
  let before = 0;
  return (
    <Stack gap="lg" {...(document.language && { lang: document.language })}>
      {document.sections.map((section) => {
        const shown = section.questions.filter(({ id }) => visible.has(id));
        const first = before + 1;
        before += shown.length;
        if (shown.length === 0) return null;
        return <FormSection key={section.id} {...{ section, shown, first, answers }} {...form} />;
      })}
    </Stack>
  );
}

interface FormSectionProps extends Omit<ReviewFormProps, "document"> {
  readonly section: Section;
  /** Its visible questions. */
  readonly shown: readonly Question[];
  /** Number of the first one in the form. */
  readonly first: number;
}

/** Memoized: an answer renders its own section only. */
const FormSection = memo(function FormSection(props: FormSectionProps) {
  const { section, shown, first, answers, onAnswer, readOnly = false, slot } = props;
  const done = shown.filter(({ id }) => isAnswered(answerTo(answers, id))).length;
  return (
    <section aria-label={section.title}>
      <div className={classes.sectionHead}>
        <SectionTitle title={section.title} />
        <SectionCount done={done} total={shown.length} />
      </div>
      <div className={classes.cards}>
        {shown.map((question, index) => (
          <QuestionCard
            key={question.id}
            question={question}
            number={first + index}
            answer={answerTo(answers, question.id)}
            onAnswer={onAnswer}
            readOnly={readOnly}
            {...(slot && { slot })}
          />
        ))}
      </div>
    </section>
  );
}, isSameSection);

const SectionTitle = memo(({ title }: { readonly title: string }) => (
  <Title order={3} size="h6" className="breakable">
    {title}
  </Title>
));

/** Rendered after the answer is painted, because it changes the layout of the page. */
function SectionCount({ done, total }: { readonly done: number; readonly total: number }) {
  const { t } = useTexts();
  const counts = { done: useDeferredValue(done), total };
  return (
    <span className={`${classes.count} tabular nowrap`}>
      <span aria-hidden="true">
        {counts.done}/{total}
      </span>
      <span className={classes.hidden}>{t("answered", counts)}</span>
    </span>
  );
}

function isSameSection({ shown, answers, ...before }: FormSectionProps, after: FormSectionProps): boolean {
  return (
    (Object.keys(before) as (keyof typeof before)[]).every((name) => before[name] === after[name]) &&
    shown.length === after.shown.length &&
    shown.every(
      (question, at) =>
        question === after.shown[at] && answerTo(answers, question.id) === answerTo(after.answers, question.id),
    )
  );
}

export const isAnswered = (answer: Answer | undefined): boolean =>
  answer?.value !== undefined || answer?.not_applicable === true;
