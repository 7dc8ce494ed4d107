import type { ScorecardDocument } from "@hearback/scoring/document";
import type { DisputeBody } from "@hearback/sdk";
import { Button, Group, Stack, Text } from "@mantine/core";
import { Problem } from "../../ui/feedback/problem.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { useKeepAsTestCase } from "../queries.ts";
import { questionTitles } from "../question-titles.ts";
import { useTexts } from "../texts.ts";

const longestName = 300;

interface TestCaseProps {
  /** A decided dispute. */
  readonly dispute: DisputeBody;
  readonly document: ScorecardDocument;
}

/** Keeps a decision as a test case: later versions of the scorecard that score its answers differently are pointed out. */
export function TestCase({ dispute, document }: TestCaseProps) {
  const { t } = useTexts();
  const isKept = dispute.test_case !== null;
  const keep = useKeepAsTestCase(dispute.id, () => toast(t(isKept ? "testCaseRemovedToast" : "testCaseKeptToast")));
  const titles = questionTitles(document);
  const name = dispute.items.map(({ question_id }) => titles.get(question_id) ?? question_id).join(", ");
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" flex="1 1 300px">
          {t(isKept ? "testCaseKept" : "testCaseDetail")}
        </Text>
        <Button
          variant="default"
          size="xs"
          loading={keep.isPending}
          onClick={() => keep.mutate(isKept ? null : name.slice(0, longestName))}
        >
          {t(isKept ? "removeTestCase" : "keepTestCase")}
        </Button>
      </Group>
      {keep.error && <Problem error={keep.error} />}
    </Stack>
  );
}
