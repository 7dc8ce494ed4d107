import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, useEffect, useSyncExternalStore } from "react";
import { useSideNames } from "../../player/waveform/side-names.ts";
import { toastProblem } from "../../ui/feedback/toast.tsx";
import { Icon } from "../../ui/icon.tsx";
import { clock } from "../../ui/time/use-format.ts";
import { matchesQuery, type Said } from "../filters/said-query.ts";
import { snippetPlayer } from "../snippet-player.ts";
import { useTexts } from "../texts.ts";
import styles from "./call-table.module.css";

interface MatchLineProps {
  readonly callId: string;
  readonly said: Said;
  /** On screen, not only near it. */
  readonly visible: boolean;
  /** Whether its button is in the tab order. */
  readonly current: boolean;
}

/** Rows that are scrolled past are not asked for. */
const restMs = 120;
/** The match is seen without scrolling. */
const wordsBefore = 6;

/** The sentence of a call in which the words were said. A button plays it. */
export function MatchLine({ callId, said, visible, current }: MatchLineProps) {
  const { t } = useTexts();
  const nameOf = useSideNames();
  const [isResting] = useDebouncedValue(visible, restMs);
  const { data, error } = useQuery({ ...matchesQuery(callId, said), enabled: visible && isResting });
  const isPlaying = useSyncExternalStore(snippetPlayer.subscribe, () => snippetPlayer.playing() === callId);
  useEffect(() => () => void (snippetPlayer.playing() === callId && snippetPlayer.stop()), [callId]);
  if (error) return <span>{t("matchFailed")}</span>;
  if (!data) return <span className={styles.missing} />;
  const match = data.matches[0];
  if (!match) return <span>{t("matchNone")}</span>;
  const { side, start_ms: startMs, end_ms: endMs, before, text, after } = match;
  const time = clock(startMs);
  const toggle = (event: MouseEvent) => {
    // A click on the row opens the call.
    event.stopPropagation();
    event.preventDefault();
    if (isPlaying) snippetPlayer.stop();
    else snippetPlayer.play({ callId, startMs, endMs }).catch(() => toastProblem(t("matchNotPlayed")));
  };
  return (
    <>
      <button
        type="button"
        className={styles.playMatch}
        tabIndex={current ? 0 : -1}
        aria-label={t(isPlaying ? "stopMatch" : "playMatch", { time })}
        onClick={toggle}
      >
        <Icon name={isPlaying ? "pause" : "play"} size={12} />
        <span className="tabular">{time}</span>
      </button>
      <span className={styles.sentence}>
        <b>{nameOf(side)}:</b>
        {before && <span className={styles.before}>{lastWords(before)}</span>}
        <mark>{text}</mark>
        <span className={styles.after}>{after}</span>
      </span>
    </>
  );
}

function lastWords(before: string): string {
  const words = before.split(" ");
  return words.length > wordsBefore ? `… ${words.slice(-wordsBefore).join(" ")}` : before;
}
