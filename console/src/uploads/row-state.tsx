import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { faultTexts, missingTexts, reasonOf } from "./reasons.ts";
import type { Settled } from "./settle-row.ts";
import type { Row } from "./upload-queue.ts";
import classes from "./uploads.module.css";
import { uploads } from "./uploads.ts";

interface RowStateProps {
  readonly row: Row;
  readonly settled: Settled;
  readonly sentBytes: number;
}

/** What became of a file, or what it still needs. */
export function RowState({ row: { item, state }, settled, sentBytes }: RowStateProps) {
  const { t } = useTexts("uploads");
  switch (state.kind) {
    case "sending": {
      const percent = item.file.size === 0 ? 0 : (sentBytes / item.file.size) * 100;
      return (
        <Stack gap={4} w="100%">
          <Text size="sm">
            {percent >= 100 ? t("stateChecking") : t("stateSending", { percent: Math.floor(percent) })}
          </Text>
          <Progress value={percent} size="sm" aria-label={t("progressOf", { name: item.file.name })} />
        </Stack>
      );
    }
    case "queued":
    case "stopped":
      return (
        <Text size="sm" c="dimmed">
          {t(state.kind === "queued" ? "stateQueued" : "stateStopped")}
        </Text>
      );
    case "done":
      return <Done callId={state.callId} outcome={state.outcome} name={item.file.name} />;
    case "failed":
      return (
        <Stack gap={4} align="flex-start">
          <Notice className={classes.bad}>{reasonOf(state, t)}</Notice>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t("retryOne", { name: item.file.name })}
            onClick={(event) => {
              // The button goes; its row stays.
              event.currentTarget.closest("tr")?.focus({ preventScroll: true });
              uploads.retry((row) => row.item.id === item.id);
            }}
          >
            {t("retry")}
          </Button>
        </Stack>
      );
    case "listed":
      if (item.look?.fault) return <Notice className={classes.bad}>{t(faultTexts[item.look.fault])}</Notice>;
      return settled.missing.length === 0 ? (
        <Text size="sm">{item.look ? t("stateReady") : t("stateLooking")}</Text>
      ) : (
        <Stack gap={2}>
          {settled.missing.map((missing) => (
            <Notice key={missing} className={classes.needed}>
              {t(missingTexts[missing], { email: settled.stranger ?? "" })}
            </Notice>
          ))}
        </Stack>
      );
  }
}

interface NoticeProps {
  readonly className: string | undefined;
  readonly children: string;
}

function Notice({ className, children }: NoticeProps) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" className={className ?? ""}>
      <span className={classes.noticeIcon}>
        <Icon name="warning" size={15} />
      </span>
      <Text size="sm">{children}</Text>
    </Group>
  );
}

interface DoneProps {
  readonly callId: string;
  readonly outcome: "imported" | "duplicate" | "erased";
  readonly name: string;
}

function Done({ callId, outcome, name }: DoneProps) {
  const { t } = useTexts("uploads");
  const texts = { imported: "stateImported", duplicate: "stateDuplicate", erased: "stateErased" } as const;
  return (
    <Stack gap={2}>
      <Group gap={6} wrap="nowrap" align="flex-start" className={classes.good ?? ""}>
        <span className={classes.noticeIcon}>
          <Icon name="check" size={15} />
        </span>
        <Text size="sm">{t(texts[outcome])}</Text>
      </Group>
      {outcome !== "erased" && (
        <TextLink to="/calls/$id" params={{ id: callId }} size="sm" aria-label={t("openCallOf", { name })}>
          {t("openCall")}
        </TextLink>
      )}
    </Stack>
  );
}
