import type { Answer } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";
import { selectedOptions } from "@hearback/scoring/question-points";
import { Text } from "@mantine/core";
import { memo, type ReactNode, useCallback, useEffect, useId, useMemo, useRef } from "react";
import { Icon } from "../ui/icon.tsx";
import { AnswerField } from "./answer-field.tsx";
import { CommentField } from "./comment-field.tsx";
import { Markdown } from "./markdown.tsx";
import classes from "./review-form.module.css";
import { useTexts } from "./texts.ts";

interface QuestionCardProps {
  readonly question: Question;
  readonly number: number;
  readonly answer: Answer | undefined;
  readonly onAnswer: (question: string, answer: Answer | undefined) => void;
  readonly readOnly: boolean;
  /** Must be stable. */
  readonly slot?: (question: Question) => ReactNode;
}

/** One question: title, guidance, answer and comment. Memoized, because a form has up to 150. */
export const QuestionCard = memo(function QuestionCard(props: QuestionCardProps) {
  const { question, number, answer, onAnswer, readOnly, slot } = props;
  const { t } = useTexts();
  const id = useId();
  const selected = answer?.value === undefined ? [] : (selectedOptions(question, answer.value) ?? []);
  const fails = selected.some((option) => option.fails === "call")
    ? "call"
    : selected.find((option) => option.fails)?.fails;
  const isCommentRequired = fails !== undefined || selected.some((option) => option.comment === "required");
  const change = (next: Answer) => onAnswer(question.id, Object.keys(next).length > 0 ? next : undefined);
  const changeComment = (comment: string) => {
    const { comment: _, ...rest } = answer ?? {};
    change(comment.trim() === "" ? rest : { ...rest, comment });
  };
  const latest = useRef(changeComment);
  useEffect(() => {
    latest.current = changeComment;
  });
  const onComment = useCallback((comment: string) => latest.current(comment), []);
  // The same element as long as the question is the same, so that it is not rendered with each answer.
  const more = useMemo(() => slot?.(question), [slot, question]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in all browsers
    <div
      role="group"
      aria-labelledby={`${id}-title`}
      className={classes.card}
      data-question={question.id}
      {...(!readOnly && { tabIndex: -1 })}
    >
      <QuestionHead id={id} question={question} number={number} />
      <AnswerField
        question={question}
        answer={answer}
        onChange={change}
        readOnly={readOnly}
        labelledBy={`${id}-title`}
        {...(question.guidance && { describedBy: `${id}-guidance` })}
      />
      {fails && (
        <div className={classes.fails} role="status">
          <Icon name="warning" size={16} />
          <span>{t(fails === "call" ? "failsCall" : "failsSection")}</span>
        </div>
      )}
      <div className={classes.extras}>
        <CommentField
          comment={answer?.comment}
          required={isCommentRequired}
          readOnly={readOnly}
          title={question.title}
          onChange={onComment}
        />
        {more}
      </div>
    </div>
  );
});

interface QuestionHeadProps extends Pick<QuestionCardProps, "question" | "number"> {
  readonly id: string;
}

/** Memoized: it does not depend on the answer. */
const QuestionHead = memo(function QuestionHead({ id, question, number }: QuestionHeadProps) {
  return (
    <>
      <div className={classes.title}>
        <span className={classes.number} aria-hidden="true">
          {number}
        </span>
        <Text id={`${id}-title`} fw={600} size="sm" className="breakable">
          {question.title}
        </Text>
      </div>
      {question.guidance && (
        <Text component="div" id={`${id}-guidance`} size="sm" c="dimmed" className="breakable">
          <Markdown text={question.guidance} />
        </Text>
      )}
    </>
  );
});
