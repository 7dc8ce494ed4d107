import type { ScorecardDetailBody, WhatIfBody } from "@hearback/sdk";
import { Alert, Button, Group, Progress, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { Problem } from "../../ui/feedback/problem.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import type { DraftDocument } from "../draft/draft-document.ts";
import type { DraftSaver } from "../draft/draft-saver.ts";
import { isWhatIfRunning, scorecardQueries, useCancelWhatIf, useStartWhatIf } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { WhatIfResult } from "./what-if-result.tsx";

const periods = ["4", "12", "26"] as const;
const weekMs = 7 * 24 * 3600_000;

interface WhatIfPanelProps {
  readonly scorecard: ScorecardDetailBody;
  readonly saver: DraftSaver<DraftDocument>;
  /** Errors that the linter found. A draft with errors cannot be replayed. */
  readonly errors: number;
}

/** Replays the reviews of a period on the draft: progress, and what would change. */
export function WhatIfPanel({ scorecard, saver, errors }: WhatIfPanelProps) {
  const { t } = useTexts();
  const [weeks, setWeeks] = useState("12");
  const start = useStartWhatIf(scorecard.id);
  const latest = useQuery(scorecardQueries.latestWhatIf(scorecard.id));
  const runId = start.data?.id ?? latest.data?.id;
  const one = useQuery({ ...scorecardQueries.whatIf(runId ?? ""), enabled: runId !== undefined });
  const number = useSyncExternalStore(saver.subscribe, saver.number);
  const run = one.data;
  const isRunning = run !== undefined && isWhatIfRunning(run);
  const begin = async () => {
    // The server replays what it has stored.
    if (!(await saver.flush())) return;
    start.mutate({ from: new Date(Date.now() - Number(weeks) * weekMs), ifMatch: saver.number() });
  };
  const blocked = blockedBy(scorecard, errors);
  const error = start.error ?? latest.error ?? one.error;
  return (
    <Stack gap="md">
      <Text size="sm">{t("whatIfDetail")}</Text>
      <SegmentedControl
        fullWidth
        aria-label={t("whatIfPeriod")}
        value={weeks}
        onChange={setWeeks}
        data={periods.map((value) => ({ value, label: t("whatIfWeeks", { count: Number(value) }) }))}
      />
      <Group gap="sm">
        <Button
          onClick={() => void begin()}
          loading={start.isPending}
          disabled={blocked !== undefined || isRunning}
          aria-describedby={blocked ? "what-if-blocked" : undefined}
        >
          {t("whatIfStart")}
        </Button>
        {blocked && (
          <Text size="sm" c="dimmed" id="what-if-blocked">
            {t(blocked)}
          </Text>
        )}
      </Group>
      {error && <Problem error={error} />}
      {run && <Run run={run} note={noteOn(run, scorecard.has_draft ? number : undefined)} />}
    </Stack>
  );
}

/** Why a run cannot be started. */
function blockedBy({ latest_version, has_draft }: ScorecardDetailBody, errors: number) {
  if (latest_version === null) return "whatIfUnpublished" as const;
  if (!has_draft) return "whatIfUnchanged" as const;
  return errors > 0 ? ("whatIfErrors" as const) : undefined;
}

/** Text for a run that did not use the current draft. */
function noteOn({ draft_number }: WhatIfBody, current: number | undefined) {
  if (draft_number === null) return "whatIfFile" as const;
  if (current === undefined) return "whatIfNoDraft" as const;
  return draft_number === current ? undefined : ("whatIfOutdated" as const);
}

interface RunProps {
  readonly run: WhatIfBody;
  readonly note: ReturnType<typeof noteOn>;
}

function Run({ run, note }: RunProps) {
  const { t } = useTexts();
  const format = useFormat();
  if (isWhatIfRunning(run)) return <RunProgress run={run} />;
  if (run.state === "cancelled") return <Text role="status">{t("whatIfCancelled")}</Text>;
  if (!run.result)
    return (
      <Alert color="red" variant="light" icon={<Icon name="warning" />} role="status">
        {t("whatIfFailed")}
      </Alert>
    );
  return (
    <Stack gap="md">
      <Text role="status" size="sm" c="dimmed">
        {t("whatIfOf", { from: format.date(run.from), to: format.date(run.to), number: run.scorecard.version })}
      </Text>
      {note && (
        <Alert color="gray" variant="light" icon={<Icon name="info" />}>
          {t(note)}
        </Alert>
      )}
      <WhatIfResult result={run.result} isComplete={run.complete} isDraft={run.draft_number !== null} />
    </Stack>
  );
}

function RunProgress({ run }: { readonly run: WhatIfBody }) {
  const { t } = useTexts();
  const format = useFormat();
  const cancel = useCancelWhatIf(run.id);
  const { reviews, replayed } = run;
  const share = reviews ? Math.min(99, (100 * replayed) / reviews) : 0;
  return (
    <Stack gap={8}>
      <Text role="status" size="sm">
        {reviews === null
          ? t("whatIfQueued")
          : t("whatIfCourse", { count: reviews, done: format.number(replayed), total: format.number(reviews) })}
      </Text>
      <Progress value={share} aria-label={t("whatIfProgress")} size="md" />
      <Group>
        <Button variant="default" size="compact-sm" loading={cancel.isPending} onClick={() => cancel.mutate({})}>
          {t("whatIfCancel")}
        </Button>
      </Group>
      {cancel.error && <Problem error={cancel.error} />}
    </Stack>
  );
}
