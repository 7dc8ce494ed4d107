import { Button, FileButton, Group, Progress, Stack, Text } from "@mantine/core";
import { useRef } from "react";
import { Icon } from "../ui/icon.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { faultTexts, missingTexts, needsAnotherFile, reasonOf } from "./queue/reasons.ts";
import type { Item, ResolvedRow } from "./queue/resolve-row.ts";
import type { Row } from "./queue/rows.ts";
import { uploads } from "./queue/uploads.ts";
import { useTexts } from "./texts.ts";
import classes from "./uploads.module.css";

interface RowStateProps {
  readonly row: Row;
  readonly resolved: ResolvedRow;
  readonly sentBytes: number;
  readonly onCreateAgent: (email: string) => void;
}

/** Status of a file, or what is missing. */
export function RowState({ row: { item, state }, resolved, sentBytes, onCreateAgent }: RowStateProps) {
  const { t } = useTexts();
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
          {needsAnotherFile(state.code) ? <ReplaceFile item={item} /> : <RetryButton item={item} />}
        </Stack>
      );
    case "listed":
      if (item.look?.fault) {
        return (
          <Stack gap={4} align="flex-start">
            <Notice className={classes.bad}>{t(faultTexts[item.look.fault])}</Notice>
            <ReplaceFile item={item} />
          </Stack>
        );
      }
      return resolved.missing.length === 0 ? (
        <Text size="sm">{item.look ? t("stateReady") : t("stateInspecting")}</Text>
      ) : (
        <Stack gap={4} align="flex-start">
          {resolved.missing.map((missing) => (
            <Notice key={missing} className={classes.needed}>
              {t(missingTexts[missing], { email: resolved.unknownEmail ?? "" })}
            </Notice>
          ))}
          {resolved.unknownEmail && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t("createAgentFor", { email: resolved.unknownEmail })}
              onClick={() => onCreateAgent(resolved.unknownEmail ?? "")}
            >
              {t("createAgent")}
            </Button>
          )}
        </Stack>
      );
  }
}

function RetryButton({ item }: { readonly item: Item }) {
  const { t } = useTexts();
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t("retryOne", { name: item.file.name })}
      onClick={(event) => {
        focusRow(event.currentTarget);
        uploads.retry((row) => row.item.id === item.id);
      }}
    >
      {t("retry")}
    </Button>
  );
}

/** For files that cannot be imported: another copy in their place, or none. */
function ReplaceFile({ item }: { readonly item: Item }) {
  const { t } = useTexts();
  const { name } = item.file;
  const button = useRef<HTMLButtonElement>(null);
  const replace = (file: File | null) => {
    if (!file) return;
    focusRow(button.current);
    uploads.replaceFile(item.id, file);
  };
  return (
    <Group gap={4}>
      <FileButton onChange={replace}>
        {(props) => (
          <Button {...props} ref={button} size="compact-xs" variant="default" aria-label={t("replaceOne", { name })}>
            {t("replace")}
          </Button>
        )}
      </FileButton>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={t("removeOne", { name })}
        onClick={(event) => {
          const row = event.currentTarget.closest("tr");
          const beside = row?.nextElementSibling ?? row?.previousElementSibling;
          if (beside instanceof HTMLElement) beside.focus({ preventScroll: true });
          uploads.remove((row) => row.item.id === item.id);
        }}
      >
        {t("removeShort")}
      </Button>
    </Group>
  );
}

/** The button disappears; its row takes the focus. */
const focusRow = (button: HTMLElement | null) => button?.closest("tr")?.focus({ preventScroll: true });

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
  const { t } = useTexts();
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
