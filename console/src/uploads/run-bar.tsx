import { Alert, Button, Group, Paper, Progress, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Icon } from "../ui/icon.tsx";
import { type Format, useFormat } from "../ui/time/use-format.ts";
import { needsAnotherFile, reasonOf } from "./queue/reasons.ts";
import { isComplete, type Row } from "./queue/rows.ts";
import type { Uploads } from "./queue/upload-queue.ts";
import { uploads as queue } from "./queue/uploads.ts";
import { type Translate, useTexts } from "./texts.ts";
import classes from "./uploads.module.css";

const bytesOf = (rows: readonly Row[]) => rows.reduce((sum, { item }) => sum + item.file.size, 0);

/** Overall progress and actions. Sticky. */
export function RunBar({ uploads }: { readonly uploads: Uploads }) {
  const { t } = useTexts();
  const format = useFormat();
  const { rows, running, halted, sent, context } = uploads;
  const bar = useRef<HTMLElement>(null);
  const wasRunning = useRef(running);
  useEffect(() => {
    // The focused button may have disappeared.
    if (wasRunning.current !== running && document.activeElement === document.body) focusOn(bar.current);
    wasRunning.current = running;
  }, [running]);
  const start = () => {
    // The button disappears when nothing is left to import.
    focusOn(bar.current);
    queue.start();
  };
  const of = (...kinds: Row["state"]["kind"][]) => rows.filter(({ state }) => kinds.includes(state.kind));
  const ready = of("listed").filter((row) => isComplete(row, context));
  const stopped = of("stopped");
  const waiting = [...of("queued", "sending"), ...stopped];
  const [done, failed] = [of("done"), of("failed")];
  const begun = [...waiting, ...done, ...failed];
  const allBytes = bytesOf(begun);
  const sentBytes = bytesOf([...done, ...failed]) + [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
  const percent = begun.length === 0 ? 0 : allBytes === 0 ? 100 : (sentBytes / allBytes) * 100;
  const summary =
    begun.length === 0
      ? t("summaryReady", { count: ready.length, all: format.number(rows.length) })
      : t("summaryDone", { count: done.length, all: format.number(begun.length) });
  return (
    <Paper
      withBorder
      p="md"
      className={classes.runBar ?? ""}
      component="section"
      aria-label={t("progress")}
      ref={bar}
      tabIndex={-1}
    >
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <div>
            <Text fw={600} className="tabular">
              {summary}
            </Text>
            <Text size="sm" c="dimmed" className="tabular">
              {begun.length > 0
                ? `${t("bytes", { sent: format.bytes(sentBytes), all: format.bytes(allBytes) })}${leftText(uploads, format, t)}`
                : t("bytesInAll", { all: format.bytes(bytesOf(rows)) })}
              {failed.length > 0 && ` · ${t("failedCount", { count: failed.length })}`}
            </Text>
          </div>
          <Group gap="sm">
            {failed.some(isRetryable) && !running && (
              <Button variant="default" leftSection={<Icon name="refresh" />} onClick={() => queue.retry(isRetryable)}>
                {t("retryAll")}
              </Button>
            )}
            {running ? (
              <Button variant="default" leftSection={<Icon name="pause" />} onClick={queue.stop}>
                {t("stop")}
              </Button>
            ) : (
              stopped.length > 0 && (
                <Button leftSection={<Icon name="play" />} onClick={queue.resume}>
                  {t("resume", { count: stopped.length })}
                </Button>
              )
            )}
            {(ready.length > 0 || begun.length === 0) && (
              <Button leftSection={<Icon name="upload" />} disabled={ready.length === 0} onClick={start}>
                {t("start", { count: ready.length })}
              </Button>
            )}
          </Group>
        </Group>
        {begun.length > 0 && <Progress value={percent} aria-label={t("progress")} transitionDuration={150} size="md" />}
        {halted && (
          <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t("halted")} role="alert">
            {reasonOf(halted, t)} {t("haltedDetail")}
          </Alert>
        )}
      </Stack>
      <VisuallyHidden role="status">
        {running
          ? t("running")
          : begun.length > 0 && waiting.length === 0
            ? `${summary}. ${t("failedCount", { count: failed.length })}`
            : ""}
      </VisuallyHidden>
    </Paper>
  );
}

const isRetryable = ({ state }: Row) => state.kind === "failed" && !needsAnotherFile(state.code);

const focusOn = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

function leftText({ running, leftMs }: Uploads, { language }: Format, t: Translate): string {
  if (!running || leftMs === undefined) return "";
  const [value, unit] =
    leftMs < 90_000
      ? [leftMs / 1000, "second"]
      : leftMs < 5_400_000
        ? [leftMs / 60_000, "minute"]
        : [leftMs / 3_600_000, "hour"];
  const time = new Intl.NumberFormat(language, {
    style: "unit",
    unit: unit as string,
    unitDisplay: "long",
    maximumFractionDigits: 0,
  });
  return ` · ${t("left", { time: time.format(Math.max(1, Math.round(value as number))) })}`;
}
