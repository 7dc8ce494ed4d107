import type { ScorecardDocument } from "@hearback/scoring/document";
import { runTestCases, type TestCaseResult } from "@hearback/scoring/test-cases";
import type { TestCasesBody } from "@hearback/sdk";
import { Alert, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/time/use-format.ts";
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
  const { data, error, refetch } = useQuery(scorecardQueries.testCases(scorecardId));
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data || data.cases.length === 0) return null;
  const results = runTestCases(document, data);
  const changed = results.flatMap((result, index) => {
    const kept = data.cases[index];
    return kept && !result.passed ? [{ result, kept }] : [];
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
      <List size="sm" spacing={4} className="breakable">
        {changed.slice(0, mostShown).map(({ result, kept }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two cases can have the same name
          <List.Item key={index}>
            <ChangedCase result={result} kept={kept} />
          </List.Item>
        ))}
        {changed.length > mostShown && <List.Item>{t("moreChanges", { count: changed.length - mostShown })}</List.Item>}
      </List>
    </Alert>
  );
}

interface ChangedCaseProps {
  readonly result: TestCaseResult;
  readonly kept: TestCasesBody["cases"][number];
}

function ChangedCase({ result: { name, actual }, kept }: ChangedCaseProps) {
  const { t } = useTexts();
  const format = useFormat();
  if (!actual) return t("caseUnfit", { name });
  const text = (score: number | null) => (score === null ? t("caseNotScored") : format.number(score));
  return t("caseScores", { name, before: text(kept.expect.score), after: text(actual.score) });
}
