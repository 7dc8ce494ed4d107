import type { Answer } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Question } from "@hearback/scoring/question";
import type { ReviewDetailBody, ReviewRevisionItem } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useSession } from "../access/queries.ts";
import { Score } from "../ui/score.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useAnswerText } from "./answers/use-answer-text.ts";
import { historyEntries } from "./history-entries.ts";
import type { Names } from "./people/names.ts";
import classes from "./reviews.module.css";
import { useTexts } from "./texts.ts";

interface HistoryProps {
  readonly review: ReviewDetailBody;
  readonly document: ScorecardDocument;
  readonly names: Names;
}

/** Revisions of a review with their scores, its release, acknowledgement and voiding, newest first. */
export function History({ review, document, names }: HistoryProps) {
  const { t } = useTexts();
  const titles = { released: t("state_released"), acknowledged: t("acknowledged"), voided: t("state_voided") };
  return (
    <ol className={classes.history} reversed>
      {historyEntries(review).map((entry) =>
        entry.kind === "revision" ? (
          <li key={entry.revision.number}>
            <Revision revision={entry.revision} document={document} names={names} />
          </li>
        ) : (
          <li key={entry.kind}>
            <Text size="sm" fw={600}>
              {titles[entry.kind]}
            </Text>
            <Text size="xs" c="dimmed">
              <Timestamp at={entry.at} />
            </Text>
          </li>
        ),
      )}
    </ol>
  );
}

interface RevisionProps extends Omit<HistoryProps, "review"> {
  readonly revision: ReviewRevisionItem;
}

function Revision({ revision, document, names }: RevisionProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const { at, author, cause, reason, score, outcome, changed } = revision;
  const isAgent = user.role === "agent";
  const questions = new Map(document.sections.flatMap((section) => section.questions.map((each) => [each.id, each])));
  return (
    <>
      <Text size="sm" fw={600}>
        {isAgent && cause === "dispute" ? t("causeObjection") : t(`cause_${cause}`)}
      </Text>
      <Score score={score} outcome={outcome} />
      <Text size="xs" c="dimmed">
        <Timestamp at={at} />
        {!isAgent && ` · ${names.actor(author)}`}
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
    </>
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
