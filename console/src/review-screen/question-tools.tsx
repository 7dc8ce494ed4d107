import { type Answer, answerTo, type Moment } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";
import { ActionIcon, Button, Group, Popover, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState, useSyncExternalStore } from "react";
import { parseTimeParam } from "../call-page/time-param.ts";
import type { Player } from "../player/engine/player.ts";
import { keepFocus } from "../player/keep-focus.ts";
import { Icon } from "../ui/icon.tsx";
import { clock } from "../ui/time/use-format.ts";
import { withMoments } from "./moments.ts";
import type { Draft } from "./open-draft.ts";
import type { PendingMoment } from "./pending-moment.ts";
import styles from "./review.module.css";
import { useTexts } from "./texts.ts";

interface QuestionToolsProps {
  readonly question: Question;
  readonly title: string;
  readonly draft: Draft;
  readonly answer: (question: string, answer: Answer | undefined) => void;
  readonly pendingMoment: PendingMoment;
  readonly player: Player | undefined;
}

/** Moments of an answer: play, mark, edit, remove. */
export function QuestionTools({ question, title, draft, answer, pendingMoment, player }: QuestionToolsProps) {
  const { t } = useTexts();
  const current = useSyncExternalStore(draft.subscribe, () => answerTo(draft.state().answers, question.id));
  const pending = useSyncExternalStore(pendingMoment.subscribe, pendingMoment.state);
  const moments = current?.moments ?? [];
  const isPending = pending?.question === question.id;
  const change = (next: readonly Moment[]) => {
    const changed = withMoments(current ?? {}, next);
    answer(question.id, Object.keys(changed).length > 0 ? changed : undefined);
  };
  return (
    <div className={styles.tools}>
      {moments.map((moment, index) => (
        <MomentChip
          // biome-ignore lint/suspicious/noArrayIndexKey: the editor stays open while its moment changes
          key={index}
          moment={moment}
          player={player}
          onChange={(next) => change(moments.map((each) => (each === moment ? next : each)))}
          onRemove={() => change(moments.filter((each) => each !== moment))}
        />
      ))}
      {isPending && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t("cancelMoment")}
          onClick={pendingMoment.cancel}
          {...keepFocus}
        >
          <Icon name="close" size={14} />
        </ActionIcon>
      )}
      <Button
        variant={isPending ? "light" : "subtle"}
        color={isPending ? "orange" : "gray"}
        {...(!isPending && { c: "dimmed", ml: moments.length === 0 ? -6 : 0 })}
        size="compact-xs"
        leftSection={<Icon name="clock" size={12} />}
        disabled={!player}
        aria-label={`${t(isPending ? "markEnd" : "markMoment")}: ${title}`}
        onClick={() => pendingMoment.mark(question.id)}
        {...keepFocus}
      >
        {isPending ? `${t("momentFrom", { time: clock(pending.startMs) })} ${t("markEnd")}` : t("markMoment")}
      </Button>
    </div>
  );
}

interface MomentChipProps {
  readonly moment: Moment;
  readonly player: Player | undefined;
  readonly onChange: (moment: Moment) => void;
  readonly onRemove: () => void;
}

function MomentChip({ moment, player, onChange, onRemove }: MomentChipProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { start_ms: startMs, end_ms: endMs } = moment;
  const time = `${clock(startMs)}–${clock(endMs)}`;
  return (
    <span className={styles.moment}>
      <Button
        variant="subtle"
        size="compact-xs"
        className="tabular"
        leftSection={<Icon name="play" size={10} />}
        disabled={!player}
        aria-label={t("playMoment", { time })}
        onClick={() => player?.playStretch({ startMs, endMs })}
        {...keepFocus}
      >
        {time}
      </Button>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        trapFocus
        returnFocus
        position="bottom-start"
        shadow="md"
        withinPortal
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={22}
            aria-label={t("editMoment", { time })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="edit" size={12} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={t("editMoment", { time })}>
          <MomentEditor {...{ moment, player, onChange, onRemove }} onClose={() => setOpen(false)} />
        </Popover.Dropdown>
      </Popover>
    </span>
  );
}

function MomentEditor({
  moment,
  player,
  onChange,
  onRemove,
  onClose,
}: MomentChipProps & { readonly onClose: () => void }) {
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
