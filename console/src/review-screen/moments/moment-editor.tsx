import type { Moment } from "@hearback/scoring/answers";
import { ActionIcon, Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Player } from "../../player/engine/player.ts";
import { parseTimeParam } from "../../player/time-param.ts";
import { Icon } from "../../ui/icon.tsx";
import { clock } from "../../ui/time/use-format.ts";
import { useTexts } from "../texts.ts";

export interface MomentEditorProps {
  readonly moment: Moment;
  /** Absent until the player is loaded. */
  readonly player: Player | undefined;
  readonly onChange: (moment: Moment) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Changes the start and the end of a moment, or removes it. */
export function MomentEditor({ moment, player, onChange, onRemove, onClose }: MomentEditorProps) {
  const { t } = useTexts();
  const [start, setStart] = useState(clock(moment.start_ms));
  const [end, setEnd] = useState(clock(moment.end_ms));
  // An unchanged text keeps the milliseconds.
  const msOf = (text: string, before: number) => (text === clock(before) ? before : parseTimeParam(text.trim()));
  const [startMs, endMs] = [msOf(start, moment.start_ms), msOf(end, moment.end_ms)];
  const maxMs = player?.durationMs ?? Number.POSITIVE_INFINITY;
  const isWrong = (ms: number | undefined) => ms === undefined || ms > maxMs;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (startMs === undefined || endMs === undefined || isWrong(startMs) || isWrong(endMs)) return;
    onChange({ start_ms: Math.min(startMs, endMs), end_ms: Math.max(startMs, endMs) });
    onClose();
  };
  const field = (label: string, value: string, set: (value: string) => void, ms: number | undefined) => (
    <TextInput
      size="xs"
      w={150}
      label={label}
      value={value}
      error={isWrong(ms) && t("momentWrong")}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      rightSection={
        <ActionIcon
          variant="subtle"
          size="sm"
          aria-label={`${label}: ${t("setToNow")}`}
          title={t("setToNow")}
          onClick={() => set(clock(player?.nowMs() ?? 0))}
        >
          <Icon name="clock" size={14} />
        </ActionIcon>
      }
    />
  );
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          {field(t("momentStart"), start, setStart, startMs)}
          {field(t("momentEnd"), end, setEnd, endMs)}
        </Group>
        <Group justify="space-between" gap="xs">
          <Button
            size="xs"
            variant="subtle"
            color="red"
            leftSection={<Icon name="trash" size={14} />}
            onClick={onRemove}
          >
            {t("removeMoment")}
          </Button>
          <Button size="xs" type="submit">
            {t("saveMoment")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
