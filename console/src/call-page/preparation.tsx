import { Button, Group, Loader, Paper, Stack, Text } from "@mantine/core";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import styles from "./call-page.module.css";
import { hasOriginal, type KnownCall } from "./known-call.ts";
import { usePrepareCall } from "./queries.ts";
import { type TextKey, useTexts } from "./texts.ts";

const reasons: Readonly<Record<string, TextKey>> = {
  recording_undecodable: "failedUndecodable",
  recording_too_long: "failedTooLong",
  recording_too_costly: "failedTooCostly",
  recording_missing: "failedMissing",
  recording_corrupt: "failedCorrupt",
  preparation_abandoned: "failedAbandoned",
};

const delays: Readonly<Record<string, TextKey>> = {
  scratch_full: "tryingFull",
  machine_busy: "tryingBusy",
  storage_unavailable: "tryingStorage",
  database_unavailable: "tryingDatabase",
  recording_missing: "tryingMissing",
  recording_corrupt: "tryingCorrupt",
  not_now: "tryingNotNow",
};

interface PreparationProps {
  readonly call: KnownCall;
  readonly mayRepeat: boolean;
}

/** Shown instead of the player: progress or failure. */
export function Preparation({ call, mayRepeat }: PreparationProps) {
  if (call.status === "failed") return <Failure call={call} mayRepeat={mayRepeat} />;
  return (
    <Paper withBorder p="xl" className={styles.place}>
      <Progress call={call} />
    </Paper>
  );
}

function Progress({ call }: Pick<PreparationProps, "call">) {
  const { t } = useTexts();
  const step = call.steps?.find(({ state }) => state !== "done");
  const delay = step?.reason && delays[step.reason.code];
  return (
    <Stack align="center" gap="sm" ta="center" role="status">
      <Loader size="md" />
      <Text fw={600}>{step?.state === "running" ? t("preparing") : t("waiting")}</Text>
      <Text c="dimmed" size="sm" maw={520}>
        {t("preparingDetail")}
      </Text>
      {step && (
        <Text c="dimmed" size="sm">
          {t("since")} <Timestamp at={step.since} />
          {step.attempts > 1 && ` · ${t("attempts", { count: step.attempts })}`}
        </Text>
      )}
      {step?.reason && (
        <Text size="sm" maw={520}>
          {t("tryingAgain", { reason: delay ? t(delay) : step.reason.detail })}
        </Text>
      )}
    </Stack>
  );
}

function Failure({ call, mayRepeat }: PreparationProps) {
  const { t } = useTexts();
  const prepare = usePrepareCall(call.id);
  const code = call.failure?.code ?? "";
  const attempts = call.steps?.[0]?.attempts ?? 0;
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center">
        <Icon name="warning" size={32} />
        <Text fw={600} size="lg">
          {t("failed")}
        </Text>
        <Text maw={560}>{reasons[code] ? t(reasons[code]) : call.failure?.detail}</Text>
        <Text c="dimmed" size="sm" maw={560}>
          {[hasOriginal(call) && t("failedKept"), attempts > 1 && `${t("attempts", { count: attempts })}.`]
            .filter(Boolean)
            .join(" ")}
        </Text>
        {prepare.error && <Problem error={prepare.error} />}
        {mayRepeat && (
          <Group>
            <Button
              onClick={() => prepare.mutate()}
              loading={prepare.isPending}
              leftSection={<Icon name="refresh" size={16} />}
            >
              {t("prepareAgain")}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
