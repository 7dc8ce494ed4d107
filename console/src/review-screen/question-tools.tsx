import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer, Moment } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";
import { ActionIcon, Button } from "@mantine/core";
import { type ReactNode, Suspense, useState, useSyncExternalStore } from "react";
import type { Player } from "../player/engine/player.ts";
import { keepFocus } from "../player/keep-focus.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { clock } from "../ui/time/use-format.ts";
import type { MomentEditorProps } from "./moments/moment-editor.tsx";
import { withMoments } from "./moments/moments.ts";
import type { PendingMoment } from "./moments/pending-moment.ts";
import styles from "./review.module.css";
import type { PlayableCall } from "./review-pane-props.ts";
import type { Draft } from "./saving/open-draft.ts";
import { useTexts } from "./texts.ts";

const MomentEditor = lazyComponent(async () => (await import("./moments/moment-editor.tsx")).MomentEditor);

const MomentWords = lazyComponent(async () => (await import("../transcript/moment-words.tsx")).MomentWords);

interface QuestionToolsProps {
  readonly question: Question;
  readonly title: string;
  readonly draft: Draft;
  readonly answer: (question: string, answer: Answer | undefined) => void;
  readonly pendingMoment: PendingMoment;
  readonly player: Player | undefined;
  readonly call: Pick<PlayableCall, "id" | "transcript">;
}

/** Moments of an answer: play, mark, edit, remove. */
export function QuestionTools({ question, title, draft, answer, pendingMoment, player, call }: QuestionToolsProps) {
  const { t } = useTexts();
  const current = () => answerTo(draft.state().answers, question.id) ?? {};
  const moments = useSyncExternalStore(draft.subscribe, () => current().moments) ?? [];
  const pending = useSyncExternalStore(pendingMoment.subscribe, pendingMoment.state);
  const isPending = pending?.question === question.id;
  const change = (next: readonly Moment[]) => {
    const changed = withMoments(current(), next);
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
        >
          {call.transcript && (
            <Suspense>
              <MomentWords callId={call.id} transcriptId={call.transcript.id} moment={moment} />
            </Suspense>
          )}
        </MomentChip>
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

type MomentChipProps = Omit<MomentEditorProps, "onClose"> & { readonly children: ReactNode };

function MomentChip({ moment, player, onChange, onRemove, children }: MomentChipProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { start_ms: startMs, end_ms: endMs } = moment;
  const time = `${clock(startMs)}–${clock(endMs)}`;
  return (
    <>
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
        <ActionIcon
          variant="subtle"
          color="gray"
          size={22}
          aria-label={t("editMoment", { time })}
          onClick={() => setOpen(true)}
        >
          <Icon name="edit" size={12} />
        </ActionIcon>
        <Dialog opened={isOpen} title={t("editMoment", { time })} onClose={close}>
          <MomentEditor {...{ moment, player, onChange, onRemove }} onClose={close} />
        </Dialog>
      </span>
      {children}
    </>
  );
}
