import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Question } from "@hearback/scoring/question";
import { optionsOf, weightOf } from "@hearback/scoring/question-points";
import { Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Markdown } from "../review-form/markdown.tsx";
import { Icon } from "../ui/icon.tsx";
import { conditionText } from "./condition-text.ts";
import classes from "./outline.module.css";
import { settingTexts } from "./setting-texts.ts";
import { useTexts } from "./texts.ts";

/** A form to read: questions with their weights, points and conditions. */
export function Outline({ document }: { readonly document: ScorecardDocument }) {
  const { t } = useTexts();
  const usesSections = document.not_applicable === "stays_in_section";
  return (
    <Stack gap="md">
      <Paper withBorder p="md">
        {document.description && (
          <Text size="sm" mb="sm" className="breakable">
            {document.description}
          </Text>
        )}
        <ul className={classes.settings}>
          {settingTexts(document, t).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Paper>
      {document.sections.map((section) => {
        const sum = section.questions.reduce((total, question) => total + weightOf(question), 0);
        return (
          <Paper key={section.id} withBorder component="section">
            <Group justify="space-between" wrap="nowrap" className={classes.head}>
              <Title order={2} size="h5" className="breakable">
                {section.title}
              </Title>
              <Text size="sm" c="dimmed" className="tabular nowrap">
                {t("weightOf", { weight: (usesSections ? section.weight : undefined) ?? sum })}
              </Text>
            </Group>
            {section.questions.map((question) => (
              <QuestionOutline key={question.id} question={question} document={document} />
            ))}
          </Paper>
        );
      })}
    </Stack>
  );
}

interface QuestionOutlineProps {
  readonly question: Question;
  readonly document: ScorecardDocument;
}

function QuestionOutline({ question, document }: QuestionOutlineProps) {
  const { t } = useTexts();
  const weight = weightOf(question);
  return (
    <div className={classes.question}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <Text size="sm" fw={600} className="breakable">
          {question.title}
        </Text>
        <Text size="sm" c="dimmed" className="tabular nowrap">
          {weight > 0 ? t("weightOf", { weight }) : t("notScored")}
        </Text>
      </Group>
      {question.guidance && (
        <Text component="div" size="sm" c="dimmed" className="breakable">
          <Markdown text={question.guidance} />
        </Text>
      )}
      {question.when && (
        <Group gap={6} wrap="nowrap" align="flex-start" className={classes.condition}>
          <Icon name="branch" size={14} />
          <span>{t("shownIf", { condition: conditionText(question.when, document, t) })}</span>
        </Group>
      )}
      <Answers question={question} />
      <Group gap={6}>
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {t(`type_${question.type}`)}
        </Badge>
        {question.not_applicable && (
          <Badge variant="default" size="sm" tt="none" fw={500}>
            {t("mayBeNotApplicable")}
          </Badge>
        )}
        {"tags" in question &&
          question.tags.map((tag) => (
            <Badge key={tag} variant="light" size="sm" tt="none" fw={500}>
              {tag}
            </Badge>
          ))}
      </Group>
    </div>
  );
}

function Answers({ question }: { readonly question: Question }) {
  const { t } = useTexts();
  const isScored = weightOf(question) > 0;
  if (question.type === "number" && question.bands)
    return (
      <ul className={classes.answers}>
        {question.bands.map(({ from, to, points }) => (
          <li key={`${from} ${to} ${points}`}>
            <span>{bandText(from, to, t)}</span>
            {isScored && <span className="tabular">{t("points", { count: points })}</span>}
          </li>
        ))}
      </ul>
    );
  if (question.type === "number" || question.type === "text") return null;
  // Nothing that the type does not say.
  if (question.type === "yes_no" && !question.yes && !question.no) return null;
  const labels: Readonly<Record<string, string>> =
    question.type === "yes_no"
      ? { yes: t("yes"), no: t("no") }
      : Object.fromEntries(question.options.map(({ id, label }) => [id, label]));
  return (
    <ul className={classes.answers}>
      {optionsOf(question).map(({ id, points = 0, fails, comment }) => (
        <li key={id}>
          <span className="breakable">
            {labels[id]}
            {fails && <span className={classes.fails}> · {t(fails === "call" ? "failsCall" : "failsSection")}</span>}
            {comment && !fails && <span className={classes.quiet}> · {t("commentRequired")}</span>}
          </span>
          {isScored && question.type !== "yes_no" && (
            <span className="tabular nowrap">{t("points", { count: points })}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function bandText(from: number | undefined, to: number | undefined, t: ReturnType<typeof useTexts>["t"]): string {
  if (from === undefined && to === undefined) return t("bandAny");
  if (from === undefined) return t("bandTo", { to: to ?? 0 });
  return to === undefined ? t("bandFrom", { from }) : t("bandBetween", { from, to });
}
