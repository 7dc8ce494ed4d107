import type { ScorecardDocument } from "@hearback/scoring/document";
import type { DisputeBody } from "@hearback/sdk";
import { UnstyledButton } from "@mantine/core";
import { questionTitles } from "../question-titles.ts";
import classes from "../reviews.module.css";

interface QuestionLinksProps {
  readonly label: string;
  readonly dispute: DisputeBody;
  readonly document: ScorecardDocument;
}

/** The disputed questions. Each scrolls to its answer and focuses it. */
export function QuestionLinks({ label, dispute, document: scorecard }: QuestionLinksProps) {
  const titles = questionTitles(scorecard);
  return (
    <ul className={classes.questionLinks} aria-label={label}>
      {dispute.items.map(({ question_id }) => (
        <li key={question_id}>
          <UnstyledButton className="breakable" onClick={() => focusQuestion(question_id)}>
            {titles.get(question_id) ?? question_id}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

const focusQuestion = (id: string) =>
  document.querySelector<HTMLElement>(`article[data-question="${CSS.escape(id)}"]`)?.focus();
