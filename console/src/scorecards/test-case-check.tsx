import type { ScorecardDocument } from "@hearback/scoring/document";
import { runTestCases } from "@hearback/scoring/test-cases";
import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { CappedList } from "./capped-list.tsx";
import { scorecardQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

const mostShown = 20;

interface TestCaseCheckProps {
  readonly scorecardId: string;
  /** The version that is about to be published. */
  readonly document: ScorecardDocument;
}

/** Scores the decisions that are kept as test cases with the new version, and shows those that change. */
export function TestCaseCheck({ scorecardId, document }: TestCaseCheckProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { data, error, refetch } = useQuery(scorecardQueries.testCases(scorecardId));
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data || data.cases.length === 0) return null;
  const text = (score: number | null | undefined) =>
    score === null || score === undefined ? t("caseNotScored") : format.number(score);
  const results = runTestCases(document, data);
  const changed = results.flatMap(({ name, passed, actual }, index) => {
    if (passed) return [];
    if (!actual) return [t("caseUnfit", { name })];
    return [t("caseScores", { name, before: text(data.cases[index]?.expect.score), after: text(actual.score) })];
  });
  if (changed.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("casesPassed", { count: results.length })}
      </Text>
    );
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<Icon name="warning" />}
      title={t("casesFailed", { count: changed.length })}
    >
      <Text size="sm" mb={6}>
        {t("casesFailedDetail")}
      </Text>
      <CappedList items={changed} max={mostShown} />
    </Alert>
  );
}
