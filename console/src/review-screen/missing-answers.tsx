import type { Answers } from "@hearback/scoring/answers";
import { type AnswerProblem, checkAnswers } from "@hearback/scoring/check-answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { Text, UnstyledButton } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { describeMissing } from "./describe-missing.ts";
import styles from "./review.module.css";
import { type Translate, useTexts } from "./texts.ts";

interface MissingAnswersProps {
  readonly document: ScorecardDocument;
  readonly answers: Answers;
  readonly onGoTo: (question: string) => void;
}

/** Lists what is missing, with a link to each question. */
export function MissingAnswers({ document, answers, onGoTo }: MissingAnswersProps) {
  const { t } = useTexts();
  const problems = checkAnswers(document, answers, { complete: true });
  if (problems.length === 0) return null;
  const summary = describeMissing(problems, t);
  const titles = new Map(document.sections.flatMap(({ questions }) => questions.map(({ id, title }) => [id, title])));
  return (
    <section className={styles.missingBox} aria-label={summary}>
      <Text size="sm" fw={600} className={styles.status} role="alert">
        <Icon name="warning" size={14} />
        {summary}
      </Text>
      <ul className={styles.missing}>
        {problems.map(({ question, code }) => (
          <li key={question}>
            <UnstyledButton className={`as-link ${styles.missingTitle}`} fz="sm" onClick={() => onGoTo(question)}>
              {titles.get(question)}
            </UnstyledButton>
            <Text span size="xs" c="dimmed" className="nowrap">
              {reasonOf(code, t)}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

function reasonOf(code: AnswerProblem["code"], t: Translate): string {
  if (code === "comment_required") return t("missingComment");
  return code === "missing" ? t("missingAnswer") : t("missingWrong");
}
