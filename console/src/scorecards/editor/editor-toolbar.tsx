import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { memo, useSyncExternalStore } from "react";
import { useProblemText } from "../../ui/feedback/use-problem-text.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { DraftDocument } from "../draft/draft-document.ts";
import type { DraftSaver, SaveState } from "../draft/draft-saver.ts";
import { useTexts } from "../texts.ts";
import classes from "./editor.module.css";

interface EditorToolbarProps {
  readonly saver: DraftSaver<DraftDocument>;
  /** Sum of all weights. */
  readonly total: number;
  readonly errors: number;
  readonly warnings: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly hasDraft: boolean;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onFindings: () => void;
  readonly onPublish: () => void;
}

/** Stays at the top of the window: what is saved, what is wrong, undo, publish. */
export const EditorToolbar = memo(function EditorToolbar({ saver, total, ...props }: EditorToolbarProps) {
  const { t } = useTexts();
  const saveState = useSyncExternalStore(saver.subscribe, saver.state);
  return (
    <div className={classes.bar} role="toolbar" aria-label={t("toolbar")}>
      <Group gap="md" className={classes.barStatus}>
        <Saved state={saveState} onRetry={saver.retry} />
        <Text
          size="sm"
          c={total === 100 ? "dimmed" : "var(--mantine-color-text)"}
          className={`tabular nowrap ${total === 100 ? classes.whenComplete : ""}`}
        >
          {t("weightsSum", { total })}
        </Text>
        <FindingCounts errors={props.errors} warnings={props.warnings} onClick={props.onFindings} />
      </Group>
      <Group gap={4} wrap="nowrap" className={classes.barActions}>
        <BarButton icon="undo" label={t("undo")} keys="Ctrl+Z" disabled={!props.canUndo} onClick={props.onUndo} />
        <BarButton icon="redo" label={t("redo")} keys="Ctrl+Shift+Z" disabled={!props.canRedo} onClick={props.onRedo} />
        <Button size="sm" ml={8} disabled={!props.hasDraft && saveState.kind === "saved"} onClick={props.onPublish}>
          {t("publish")}
        </Button>
      </Group>
    </div>
  );
});

interface BarButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** aria-disabled keeps the focus when the last step was undone. */
function BarButton({ icon, label, keys, disabled, onClick }: BarButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size={36}
      title={`${label} (${keys})`}
      aria-label={label}
      aria-keyshortcuts={keys.replace("Ctrl", "Control")}
      aria-disabled={disabled}
      className={classes.barButton}
      onClick={disabled ? undefined : onClick}
    >
      <Icon name={icon} size={18} />
    </ActionIcon>
  );
}

function Saved({ state, onRetry }: { readonly state: SaveState; readonly onRetry: () => void }) {
  const { t } = useTexts();
  const problem = useProblemText();
  return (
    <Group gap={6} wrap="nowrap" role="status" className={classes.saved}>
      {state.kind === "saved" && <Icon name="check" size={16} />}
      {(state.kind === "failed" || state.kind === "conflict") && <Icon name="warning" size={16} />}
      <Text
        size="sm"
        c={state.kind === "failed" || state.kind === "conflict" ? "var(--mantine-color-error)" : "dimmed"}
      >
        {state.kind === "saved" && t("saved")}
        {(state.kind === "saving" || state.kind === "waiting") && t("saving")}
        {state.kind === "failed" && t(state.retries ? "notSavedRetry" : "notSaved", { problem: problem(state.error) })}
        {state.kind === "conflict" && t("notSaved", { problem: t("conflict") })}
      </Text>
      {state.kind === "failed" && (
        <Button variant="subtle" size="compact-xs" onClick={onRetry}>
          {t("retryNow")}
        </Button>
      )}
    </Group>
  );
}

interface FindingCountsProps {
  readonly errors: number;
  readonly warnings: number;
  readonly onClick: () => void;
}

function FindingCounts({ errors, warnings, onClick }: FindingCountsProps) {
  const { t } = useTexts();
  if (errors + warnings === 0) return null;
  const texts = [
    ...(errors > 0 ? [t("errors", { count: errors })] : []),
    ...(warnings > 0 ? [t("warnings", { count: warnings })] : []),
  ];
  return (
    <Button
      variant="light"
      color={errors > 0 ? "red" : "orange"}
      size="compact-sm"
      leftSection={<Icon name="warning" size={14} />}
      onClick={onClick}
    >
      {texts.join(", ")}
    </Button>
  );
}
