import type { Answer } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Question } from "@hearback/scoring/question";
import type { ReviewDetailBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useSession } from "../access/queries.ts";
import { Score } from "../ui/score.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import type { Names } from "./names.ts";
import classes from "./reviews.module.css";
import { useTexts } from "./texts.ts";
import { useAnswerText } from "./use-answer-text.ts";

interface HistoryProps {
  readonly review: ReviewDetailBody;
  readonly document: ScorecardDocument;
  readonly names: Names;
}

/** Revisions of a review with their scores, newest first. */
export function History({ review: { revisions }, document, names }: HistoryProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const questions = new Map(document.sections.flatMap((section) => section.questions.map((each) => [each.id, each])));
  return (
    <ol className={classes.history} reversed>
      {revisions.map(({ number, at, author, cause, reason, score, outcome, changed }) => (
        <li key={number}>
          <Text size="sm" fw={600}>
            {t(`cause_${cause}`)}
          </Text>
          <Score score={score} outcome={outcome} />
          <Text size="xs" c="dimmed">
            <Timestamp at={at} />
            {user.role !== "agent" && ` · ${names.actor(author)}`}
          </Text>
          {changed.map(({ question_id, before, after }) => (
            <Text key={question_id} size="sm" className="breakable">
              <ChangedAnswer question={questions.get(question_id)} id={question_id} before={before} after={after} />
            </Text>
          ))}
          {reason && (
            <Text size="sm" c="dimmed" className="breakable">
              {t("quote", { text: reason })}
            </Text>
          )}
        </li>
      ))}
    </ol>
  );
}

interface ChangedAnswerProps {
  readonly question: Question | undefined;
  readonly id: string;
  readonly before: Answer;
  readonly after: Answer;
}

function ChangedAnswer({ question, id, before, after }: ChangedAnswerProps) {
  const { t } = useTexts();
  const text = useAnswerText();
  if (!question) return id;
  return t("changedAnswer", { question: question.title, before: text(question, before), after: text(question, after) });
}
