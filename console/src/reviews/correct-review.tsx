import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer, Answers } from "@hearback/scoring/answers";
import { checkAnswers } from "@hearback/scoring/check-answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import type { Question } from "@hearback/scoring/question";
import type { ReviewDetailBody } from "@hearback/sdk";
import { Button, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { type FormEvent, useCallback, useState } from "react";
import { ReviewForm } from "../review-form/review-form.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { useFocusOnMount } from "../ui/use-focus-on-mount.ts";
import { ActionBar } from "./action-bar.tsx";
import { changedAnswers } from "./answers/changed-answers.ts";
import { isCallErased } from "./is-call-erased.ts";
import { Moments } from "./moments.tsx";
import { useCorrect } from "./queries.ts";
import { questionTitles } from "./question-titles.ts";
import classes from "./reviews.module.css";
import { useTexts } from "./texts.ts";
import { ScoreChange } from "./waterfall/score-change.tsx";

interface CorrectReviewProps {
  readonly review: ReviewDetailBody;
  readonly document: ScorecardDocument;
  readonly onClose: () => void;
}

/** Edits the answers in place. Saving adds a revision with a reason. */
export function CorrectReview({ review, document, onClose }: CorrectReviewProps) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const [answers, setAnswers] = useState<Answers>(review.answers);
  const [reason, setReason] = useState("");
  // The button that opened the form is gone.
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const correct = useCorrect(review.id, () => {
    toast(t("correctedToast"));
    onClose();
  });
  const onAnswer = useCallback(
    (question: string, answer: Answer | undefined) =>
      setAnswers((before) => {
        const { [question]: _, ...others } = before;
        return answer ? { ...others, [question]: answer } : others;
      }),
    [],
  );
  const slot = useCallback(
    ({ id }: Question) => <Moments moments={answerTo(review.answers, id)?.moments ?? []} />,
    [review.answers],
  );
  const isErased = isCallErased(correct.error);
  const changes = changedAnswers(review.answers, answers);
  const count = Object.keys(changes).length;
  const isText = (id: string) =>
    document.sections.some(({ questions }) => questions.some((one) => one.id === id && one.type === "text"));
  // Comments and answers in words may be erased with the call, as on the server.
  const problems = checkAnswers(document, answers, { complete: true }).filter(({ code, question }) =>
    code === "comment_required"
      ? question in changes && !isErased
      : code !== "missing" || !isErased || !isText(question),
  );
  const titles = questionTitles(document);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    correct.mutate({ answers: changes, reason: reason.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div>
          <Title order={2} size="h4" tabIndex={-1} ref={heading} className={classes.heading}>
            {t("correctTitle")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("correctDetail")}
          </Text>
        </div>
        <ReviewForm document={document} answers={answers} onAnswer={onAnswer} slot={slot} />
        <ActionBar label={t("correct")}>
          <Stack gap="xs" flex={1}>
            {count > 0 && problems.length > 0 && (
              <Text size="sm" c="var(--mantine-color-error)" role="status">
                {t("incomplete", { questions: problems.map(({ question }) => titles.get(question)).join(", ") })}
              </Text>
            )}
            {correct.error && <Problem error={correct.error} brief />}
            <Textarea
              label={t("reason")}
              description={t("agentReads")}
              required={!isErased}
              autosize
              minRows={1}
              maxRows={4}
              maxLength={2000}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <Group justify="space-between" gap="sm">
              <ScoreChange before={review} after={calculateResult(document, answers)} />
              <Group gap="sm">
                <Button variant="default" onClick={onClose}>
                  {ui.t("cancel")}
                </Button>
                <Button
                  type="submit"
                  loading={correct.isPending}
                  disabled={count === 0 || problems.length > 0 || (reason.trim() === "" && !isErased)}
                >
                  {t("saveCorrection")}
                </Button>
              </Group>
            </Group>
          </Stack>
        </ActionBar>
      </Stack>
    </form>
  );
}
