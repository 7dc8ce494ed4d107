import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Result } from "@hearback/scoring/result";
import { Badge, Group, Stack, Text } from "@mantine/core";
import { useFormat } from "../ui/time/use-format.ts";
import classes from "./review-form.module.css";
import { useTexts } from "./texts.ts";

interface ScoreBreakdownProps {
  readonly document: ScorecardDocument;
  readonly result: Result;
}

const outcomeColors = { passed: "green", failed: "red", not_scored: "gray" } as const;

/** Scores have two decimals and are stored in hundredths. */
const useScore = () => {
  const { language } = useFormat();
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  return (hundredths: number) => format.format(hundredths / 100);
};

/** The score and the outcome, in one line. */
export function ScoreSummary({ document, result }: ScoreBreakdownProps) {
  const { t } = useTexts();
  const score = useScore();
  const { outcome, score_before_fail: before } = result;
  return (
    <Group gap="sm" wrap="nowrap" align="center" role="status">
      <Text fw={700} fz={26} lh={1} className="tabular">
        {result.score === null ? "–" : score(result.score)}
      </Text>
      <div>
        <Badge variant="light" color={outcomeColors[outcome]} tt="none">
          {t(`outcome_${outcome}`)}
        </Badge>
        <Text size="xs" c="dimmed" mt={2}>
          {result.lost_by_fail > 0 && before !== null
            ? t("beforeFail", { score: score(before) })
            : t("passingScore", { score: score(Math.round(document.passing_score * 100)) })}
        </Text>
      </div>
    </Group>
  );
}

/** Scores of sections and tags, and what cost points. */
export function ScoreBreakdown({ document, result }: ScoreBreakdownProps) {
  const { t } = useTexts();
  const score = useScore();
  const titles = new Map(
    document.sections.flatMap(({ questions }) => questions.map((question) => [question.id, question.title])),
  );
  const sections = new Map(document.sections.map(({ id, title }) => [id, title]));
  const lost = result.questions.filter((question) => question.lost > 0).toSorted((a, b) => b.lost - a.lost);
  return (
    <Stack gap="sm">
      <table className={classes.breakdown} aria-label={t("bySection")}>
        <tbody>
          {result.sections
            .filter((section) => section.score !== null)
            .map((section) => (
              <tr key={section.section}>
                <th scope="row">{sections.get(section.section)}</th>
                <td>
                  <span className={classes.bar} data-failed={section.failed || undefined}>
                    <span style={{ width: `${(section.score ?? 0) / 100}%` }} />
                  </span>
                </td>
                <td className="tabular">{score(section.score ?? 0)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {result.tags.some((tag) => tag.score !== null) && (
        <Group gap={6}>
          {result.tags
            .filter((tag) => tag.score !== null)
            .map(({ tag, score: value }) => (
              <Badge key={tag} variant="default" tt="none" fw={500} className="tabular">
                {tag} {score(value ?? 0)}
              </Badge>
            ))}
        </Group>
      )}
      {(lost.length > 0 || result.lost_by_fail > 0) && (
        <div>
          <Text size="xs" fw={600} c="dimmed" mb={4}>
            {t("lost")}
          </Text>
          <ul className={classes.lost}>
            {lost.map((question) => (
              <li key={question.question}>
                <span className="breakable">{titles.get(question.question)}</span>
                <span className="tabular nowrap">−{score(question.lost)}</span>
              </li>
            ))}
            {result.lost_by_fail > 0 && (
              <li>
                <span>{t("lostByFail")}</span>
                <span className="tabular nowrap">−{score(result.lost_by_fail)}</span>
              </li>
            )}
          </ul>
        </div>
      )}
    </Stack>
  );
}
