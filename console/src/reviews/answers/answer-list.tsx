import { answerTo } from "@hearback/scoring/answer-to";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { passedOnPoints } from "@hearback/scoring/passed-on-points";
import type { Question } from "@hearback/scoring/question";
import { selectedOptions } from "@hearback/scoring/question-points";
import { visibleQuestions } from "@hearback/scoring/visibility";
import type { DisputeBody, ReviewDetailBody, ReviewResult } from "@hearback/sdk";
import { ActionIcon, Badge, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Markdown } from "../../review-form/markdown.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useScoreText } from "../../ui/score.tsx";
import { DisputedItems } from "../disputes/disputed-items.tsx";
import { Moments } from "../moments.tsx";
import type { Names } from "../people/names.ts";
import classes from "../reviews.module.css";
import { useTexts } from "../texts.ts";
import { useAnswerText } from "./use-answer-text.ts";

export interface AnswerListProps {
  readonly review: ReviewDetailBody;
  readonly document: ScorecardDocument;
  readonly disputes: readonly DisputeBody[];
  readonly names: Names;
  /** More content of a question, such as an objection. */
  readonly slot?: (question: Question) => ReactNode;
}

/** The answers of a review by section, with comments, moments and disputes. */
export function AnswerList({ review, document, disputes, names, slot }: AnswerListProps) {
  const { t } = useTexts();
  const language = document.language ? { lang: document.language } : {};
  const visible = visibleQuestions(document, review.answers);
  const numbers = new Map([...visible].map((id, index) => [id, index + 1]));
  const sections = new Map(review.result?.sections.map((section) => [section.section, section]));
  const passedOn = review.result ? passedOnPoints(document, review.result) : undefined;
  return (
    <Stack gap="lg">
      {document.sections.map((section) => {
        const shown = section.questions.filter(({ id }) => visible.has(id));
        if (shown.length === 0) return null;
        const result = sections.get(section.id);
        return (
          <section key={section.id} aria-label={section.title}>
            <div className={classes.sectionHead}>
              <Title order={2} size="h5" className="breakable" {...language}>
                {section.title}
              </Title>
              {result?.failed && (
                <Badge variant="light" color="red" tt="none">
                  {t("sectionFailed")}
                </Badge>
              )}
              {result && <SectionPoints result={result} review={review} />}
            </div>
            <div className={classes.questions}>
              {shown.map((question) => (
                <QuestionView
                  key={question.id}
                  question={question}
                  number={numbers.get(question.id) ?? 0}
                  review={review}
                  passedOn={passedOn?.get(question.id) ?? 0}
                  language={language}
                >
                  <DisputedItems question={question} disputes={disputes} names={names} />
                  {slot?.(question)}
                </QuestionView>
              ))}
            </div>
          </section>
        );
      })}
    </Stack>
  );
}

interface QuestionViewProps {
  readonly question: Question;
  readonly number: number;
  readonly review: ReviewDetailBody;
  /** Points from questions that are not applicable, in hundredths. */
  readonly passedOn: number;
  /** Of the scorecard. The reader can have another one. */
  readonly language: { readonly lang?: string };
  readonly children: ReactNode;
}

function QuestionView({ question, number, review, passedOn, language, children }: QuestionViewProps) {
  const { t } = useTexts();
  const scoreText = useScoreText();
  const [isGuided, setGuided] = useState(false);
  const answer = answerTo(review.answers, question.id);
  return (
    <article className={classes.question} aria-label={question.title} data-question={question.id} tabIndex={-1}>
      <div className={classes.questionHead}>
        <span className={classes.questionNumber}>{number}</span>
        <Text fw={600} className="breakable" {...language}>
          {question.title}
        </Text>
        {question.guidance && (
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size="sm"
            className={classes.guidanceButton}
            aria-label={t("guidanceOf", { question: question.title })}
            aria-expanded={isGuided}
            onClick={() => setGuided(!isGuided)}
          >
            <Icon name="info" size={16} />
          </ActionIcon>
        )}
        <Points question={question.id} review={review} />
      </div>
      {passedOn > 0 && (
        <Text size="xs" c="dimmed" className={classes.passedOn}>
          {t("includesOthers", { points: scoreText(passedOn) })}
        </Text>
      )}
      {question.guidance && isGuided && (
        <div className={classes.guidance} {...language}>
          <Markdown text={question.guidance} />
        </div>
      )}
      <AnswerView question={question} answer={answer} />
      {answer?.comment && (
        <Text size="sm" className={classes.quote}>
          {answer.comment}
        </Text>
      )}
      <Moments moments={answer?.moments ?? []} />
      {children}
    </article>
  );
}

export function AnswerView({ question, answer }: { readonly question: Question; readonly answer: Answer }) {
  const { t } = useTexts();
  const text = useAnswerText();
  const chosen = answer?.value === undefined ? [] : (selectedOptions(question, answer.value) ?? []);
  const fails = chosen.find((option) => option.fails)?.fails;
  if (question.type === "text" && !answer?.not_applicable)
    return (
      <Text size="sm" className="breakable" style={{ whiteSpace: "pre-wrap" }}>
        {text(question, answer)}
      </Text>
    );
  return (
    <div className={classes.answer}>
      <span className={classes.chip} data-fails={fails} data-quiet={answer?.not_applicable || undefined}>
        {text(question, answer)}
      </span>
      {fails && (
        <Text span size="sm" c="var(--mantine-color-error)">
          {t(fails === "call" ? "failsCall" : "failsSection")}
        </Text>
      )}
    </div>
  );
}

type Answer = ReturnType<typeof answerTo>;

interface SectionPointsProps {
  readonly result: ReviewResult["sections"][number];
  readonly review: ReviewDetailBody;
}

/** Points of the total that the answers of a section earned. */
function SectionPoints({ result: { section, score, failed, applied_weight: whole }, review }: SectionPointsProps) {
  const { t } = useTexts();
  const scoreText = useScoreText();
  if (score === null) return null;
  const own = review.result?.questions.filter((question) => question.section === section) ?? [];
  const lost = failed ? whole : own.reduce((total, question) => total + question.lost, 0);
  return (
    <Text size="sm" c="dimmed" className="tabular nowrap">
      {t("pointsOf", { points: scoreText(Math.max(0, whole - lost)), whole: scoreText(whole) })}
    </Text>
  );
}

/** Points of the total that the answer earned. */
function Points({ question, review }: { readonly question: string; readonly review: ReviewDetailBody }) {
  const { t } = useTexts();
  const scoreText = useScoreText();
  const found = review.result?.questions.find((result) => result.question === question);
  if (!found || found.cause !== null || found.applied_weight === 0) return null;
  const { applied_weight: whole, lost } = found;
  return (
    <Text
      size="sm"
      className="tabular nowrap"
      {...(lost > 0 ? { fw: 600, c: "var(--mantine-color-error)" } : { c: "dimmed" })}
    >
      {t("pointsOf", { points: scoreText(Math.max(0, whole - lost)), whole: scoreText(whole) })}
    </Text>
  );
}
