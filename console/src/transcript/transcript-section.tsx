import type { CallDetailBody } from "@hearback/sdk";
import { Alert, Button, Group, Loader, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useId } from "react";
import type { Player } from "../player/engine/player.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { Timestamp } from "../ui/time/timestamp.tsx";
import type { EvidenceTarget } from "./evidence.ts";
import { transcriptQueries, useRequestTranscription } from "./queries.ts";
import { type TextKey, useTexts } from "./texts.ts";
import styles from "./transcript.module.css";

// Most calls of workspaces without transcription do not need it.
const TranscriptPanel = lazyComponent(async () => (await import("./transcript-panel.tsx")).TranscriptPanel);

export interface TranscriptSectionProps {
  readonly call: Pick<CallDetailBody, "id" | "transcript" | "steps">;
  /** Absent until it is loaded. */
  readonly player: Player | undefined;
  /** Beside a form. */
  readonly compact?: boolean;
  /** Reviewers and up correct words. */
  readonly mayCorrect: boolean;
  /** Supervisors and up have calls transcribed. */
  readonly mayRequest: boolean;
  /** Words that the list of calls was searched for. */
  readonly said?: string | undefined;
  readonly evidence?: EvidenceTarget | undefined;
}

const failures: Readonly<Record<string, TextKey>> = {
  engine_unavailable: "failedUnavailable",
  engine_refused: "failedRefused",
  engine_answer_invalid: "failedInvalid",
  engine_not_configured: "failedNotConfigured",
  language_not_supported: "failedLanguage",
  quota_exceeded: "failedQuota",
  recording_missing: "failedMissing",
  recording_corrupt: "failedCorrupt",
  masking_timeout: "failedMasking",
  transcription_abandoned: "failedAbandoned",
};

/** Transcript of a call, or why it has none. */
export function TranscriptSection(props: TranscriptSectionProps) {
  const { call, mayRequest } = props;
  const titleId = useId();
  const step = call.steps.find((each) => each.step === "transcribe");
  const isUnderWay = step?.state === "waiting" || step?.state === "running";
  // Not transcribed: only those who can change that need to know.
  if (!call.transcript && !step && !mayRequest) return null;
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={titleId}>
      <Stack gap="sm">
        {!call.transcript && <Heading id={titleId} />}
        {isUnderWay && <UnderWay step={step} again={call.transcript !== null} />}
        {step?.state === "failed" && <Failure call={call} step={step} mayRequest={mayRequest} />}
        {call.transcript ? (
          <Loaded key={call.transcript.id} {...props} titleId={titleId} transcriptId={call.transcript.id} />
        ) : (
          !step && <Off callId={call.id} />
        )}
      </Stack>
    </Paper>
  );
}

function Heading({ id }: { readonly id: string }) {
  const { t } = useTexts();
  return (
    <Title order={2} size="h5" id={id}>
      {t("title")}
    </Title>
  );
}

type Step = CallDetailBody["steps"][number];

function UnderWay({ step, again }: { readonly step: Step; readonly again: boolean }) {
  const { t } = useTexts();
  const reason = step.reason && failures[step.reason.code];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
      <Loader size="xs" mt={4} />
      <div>
        <Text size="sm" fw={600}>
          {t(again ? "again" : step.state === "running" ? "running" : "waiting")}
        </Text>
        <Text size="sm" c="dimmed">
          {t("since")} <Timestamp at={step.since} />
          {step.attempts > 1 && ` · ${t("attempts", { count: step.attempts })}`}
        </Text>
        {step.reason && <Text size="sm">{t("retrying", { reason: reason ? t(reason) : step.reason.detail })}</Text>}
      </div>
    </Group>
  );
}

interface FailureProps extends Pick<TranscriptSectionProps, "call" | "mayRequest"> {
  readonly step: Step;
}

function Failure({ call, step, mayRequest }: FailureProps) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const request = useRequestTranscription(call.id);
  const reason = failures[step.reason?.code ?? ""];
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t("failed")}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{reason ? t(reason) : step.reason?.detail}</Text>
        {request.error && <Problem error={request.error} />}
        {mayRequest && (
          <Button
            size="xs"
            variant="default"
            loading={request.isPending}
            leftSection={<Icon name="refresh" size={14} />}
            onClick={() => request.mutate()}
          >
            {ui.t("retry")}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function Off({ callId }: { readonly callId: string }) {
  const { t } = useTexts();
  const request = useRequestTranscription(callId);
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        {t("off")}
      </Text>
      {request.error && <Problem error={request.error} />}
      <Button size="xs" variant="default" loading={request.isPending} onClick={() => request.mutate()}>
        {t("transcribe")}
      </Button>
    </Stack>
  );
}

interface LoadedProps extends TranscriptSectionProps {
  readonly titleId: string;
  readonly transcriptId: string;
}

function Loaded({
  call,
  titleId,
  transcriptId,
  player,
  compact = false,
  mayCorrect,
  mayRequest,
  said,
  evidence,
}: LoadedProps) {
  const { t } = useTexts();
  const { data: transcript, error, refetch } = useQuery(transcriptQueries.one(call.id, transcriptId));
  const loading = (
    <>
      <Heading id={titleId} />
      {error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <TranscriptSkeleton compact={compact} label={t("loading")} />
      )}
    </>
  );
  if (!transcript || !player) return loading;
  return (
    <Suspense fallback={loading}>
      <TranscriptPanel {...{ transcript, titleId, player, compact, mayCorrect, mayRequest, said, evidence }} />
    </Suspense>
  );
}

function TranscriptSkeleton({ compact, label }: { readonly compact: boolean; readonly label: string }) {
  return (
    <div role="status" aria-label={label}>
      <div className={styles.box} data-compact={compact || undefined}>
        {["72%", "54%", "80%", "38%", "66%", "70%"].map((width) => (
          <Skeleton key={width} height={14} width={width} mx="md" mt={22} />
        ))}
      </div>
    </div>
  );
}
