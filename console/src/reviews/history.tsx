import type { ScorecardDocument } from "@hearback/scoring/document";
import type { ReviewDetailBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useSession } from "../access/queries.ts";
import { Score } from "../ui/score.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import type { Names } from "./names.ts";
import { questionTitles } from "./question-titles.ts";
import classes from "./reviews.module.css";
import { useTexts } from "./texts.ts";

interface HistoryProps {
  readonly review: ReviewDetailBody;
  readonly document: ScorecardDocument;
  readonly names: Names;
}

/** Revisions of a review with their scores, newest first. */
export function History({ review: { revisions }, document, names }: HistoryProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const titles = questionTitles(document);
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
          {changed.length > 0 && (
            <Text size="sm" className="breakable">
              {t("changedQuestions", { questions: changed.map((id) => titles.get(id) ?? id).join(", ") })}
            </Text>
          )}
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
