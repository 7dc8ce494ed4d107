import type { TranscriptBody } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Player } from "../player/engine/player.ts";
import { usePlayerState } from "../player/engine/use-player.ts";
import { keepFocus } from "../player/keep-focus.ts";
import { Icon } from "../ui/icon.tsx";
import { clock } from "../ui/time/use-format.ts";
import { EditLine } from "./edit-line.tsx";
import type { WordMatch } from "./find-words.ts";
import { type LineAction, LineRow } from "./line-row.tsx";
import { type Line, lineAt, lineOf, type Stretch, sentenceAround, stretchOf } from "./lines.ts";
import { type Speakers, withTime } from "./speakers.ts";
import { useTexts } from "./texts.ts";
import styles from "./transcript.module.css";
import { clearSelection, readSelection, useChosenWords } from "./use-chosen-words.ts";
import { useReading } from "./use-reading.ts";
import { latestWord, type WordClock } from "./word-clock.ts";

/** What the panel and shortcuts do with the list. */
export interface LineListHandle {
  /** Scrolls to a word without playing it. */
  readonly show: (word: number) => void;
  readonly follow: () => void;
  /** Focuses the line that is being said. */
  readonly focusCurrent: () => void;
  /** The selected words, else the sentence that is being said. */
  readonly pick: () => Stretch | undefined;
}

interface LineListProps {
  readonly ref: Ref<LineListHandle>;
  readonly callId: string;
  readonly transcript: TranscriptBody;
  readonly lines: readonly Line[];
  readonly times: WordClock;
  readonly player: Player;
  readonly speakers: Speakers;
  readonly matches: readonly WordMatch[];
  readonly shownMatch: WordMatch | undefined;
  readonly compact: boolean;
  readonly mayCorrect: boolean;
  /** Absent: there is no form to attach evidence to. */
  readonly onAttach: ((stretch: Stretch) => void) | undefined;
  readonly onCopy: (text: string) => void;
}

/** Lines on screen and around it. The list has its own scroll container. */
export function LineList(props: LineListProps) {
  const { ref, callId, transcript, lines, times, player, speakers, matches, shownMatch, compact, onAttach } = props;
  const { t, language: uiLanguage } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [editing, setEditing] = useState<number>();
  const toFocus = useRef<number>(undefined);
  const letters = useMemo(
    () => lines.map(({ words }) => words.reduce((sum, word) => sum + (word.mask ? 14 : word.text.length + 1), 0)),
    [lines],
  );
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => estimateHeight(letters[index] ?? 0, box.current?.clientWidth ?? 600, lines[index]?.offset),
    overscan: 8,
    // Always render the current line, which holds the focus.
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      return rows.includes(current) || current >= lines.length ? rows : [...rows, current].sort((a, b) => a - b);
    },
  });
  const bring = useCallback(
    (word: number) => virtual.scrollToIndex(lineOf(lines, word), { align: "center" }),
    [virtual, lines],
  );
  const reading = useReading({ box, player, clock: times, bring });
  const found = useFound(lines, matches);

  const focus = useCallback(() => {
    if (toFocus.current === undefined) return;
    const button = box.current?.querySelector<HTMLElement>(`[data-index="${toFocus.current}"] [data-action="play"]`);
    if (!button) return;
    toFocus.current = undefined;
    button.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(focus);
  const goTo = (row: number) => {
    const to = Math.max(0, Math.min(lines.length - 1, row));
    toFocus.current = to;
    reading.stop();
    setCurrent(to);
    virtual.scrollToIndex(to, { align: "auto" });
    focus();
  };

  const textOf = ({ first, last }: WordMatch) => {
    const chosen = wordsOf(lines, first, last);
    return chosen.map((part) => withTime(speakers, part)).join("\n");
  };
  const playFrom = (startMs: number) => {
    player.playStretch({ startMs, endMs: startMs });
    reading.follow();
  };
  const act = (action: LineAction, index: number) => {
    const line = lines[index];
    if (!line) return;
    if (action === "play") playFrom(line.startMs);
    else if (action === "copy") props.onCopy(withTime(speakers, line));
    else if (action === "attach") onAttach?.(stretchOf(line.words));
    else setEditing(index);
  };
  const closeEditing = () => {
    toFocus.current = editing;
    setEditing(undefined);
  };

  useImperativeHandle(ref, () => ({
    show(word) {
      reading.stop();
      setCurrent(lineOf(lines, word));
      bring(word);
    },
    follow: reading.follow,
    focusCurrent: () => goTo(lineAt(lines, player.nowMs())),
    pick() {
      const chosen = readSelection(box.current);
      if (chosen) return stretchOf(wordsOf(lines, chosen.first, chosen.last).flatMap(({ words }) => words));
      const focused = document.activeElement?.closest<HTMLElement>("[data-index]");
      const focusedLine = box.current?.contains(focused ?? null) ? lines[Number(focused?.dataset.index)] : undefined;
      if (focusedLine) return stretchOf(focusedLine.words);
      const word = latestWord(times, player.nowMs());
      const line = word === undefined ? undefined : lines[lineOf(lines, word)];
      return line && word !== undefined ? stretchOf(sentenceAround(line, word - line.first)) : undefined;
    },
  }));

  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const index = indexOf(target);
    if (index === undefined) return;
    const action = target.closest<HTMLElement>("[data-action]")?.dataset.action;
    if (action) return act(action as LineAction, index);
    const word = target.closest<HTMLElement>("[data-w]")?.dataset.w;
    // The end of a selection is a click, too.
    if (word === undefined || !window.getSelection()?.isCollapsed) return;
    const line = lines[index];
    setCurrent(index);
    playFrom(line?.words[Number(word) - line.first]?.start_ms ?? 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    // Keys scroll the box.
    if (event.target === box.current && /^(Arrow|Page|Home|End)/.test(event.key)) reading.stop();
    if (!(event.target as Element).matches("[data-action]")) return;
    const screen = Math.max(1, (virtual.range?.endIndex ?? 0) - (virtual.range?.startIndex ?? 0) - 1);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + screen,
      PageUp: current - screen,
      Home: 0,
      End: lines.length - 1,
    };
    const row = targets[event.key];
    if (row === undefined) return;
    event.preventDefault();
    goTo(row);
  };
  const onCopy = (event: ClipboardEvent) => {
    const chosen = readSelection(box.current);
    if (!chosen || (event.target as Element).closest?.("input")) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", textOf(chosen));
  };
  const handlers = {
    onClick,
    onKeyDown,
    onCopy,
    onFocus: ({ target }: { readonly target: Element }) => {
      const index = indexOf(target);
      if (index !== undefined) setCurrent(index);
    },
    // A click with the mouse leaves the focus where it is, as in the player.
    onMouseDown: (event: MouseEvent) => (event.target as Element).closest("[data-action]") && event.preventDefault(),
    onWheel: reading.stop,
    onTouchMove: reading.stop,
    // The scroll bar.
    onPointerDown: ({ target, currentTarget }: PointerEvent) => target === currentTarget && reading.stop(),
  };
  return (
    <div className={styles.frame}>
      <div ref={box} className={styles.box} tabIndex={-1} data-compact={compact || undefined} {...handlers}>
        <ol className={`${styles.rows} plain-list`} aria-label={t("title")} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <li
                key={line.first}
                ref={virtual.measureElement}
                data-index={index}
                data-current={index === current || undefined}
                aria-posinset={index + 1}
                aria-setsize={lines.length}
                className={styles.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                {index === editing ? (
                  <EditLine
                    {...{ callId, line, speakers }}
                    transcriptId={transcript.id}
                    language={transcript.language}
                    onClose={closeEditing}
                  />
                ) : (
                  <LineRow
                    {...{ line, index, uiLanguage, speakers, t }}
                    language={transcript.language}
                    current={index === current}
                    found={found.get(index)}
                    shownMatch={shownMatch && isIn(line, shownMatch.first) ? shownMatch.first : undefined}
                    mayAttach={onAttach !== undefined}
                    mayCorrect={props.mayCorrect}
                  />
                )}
              </li>
            );
          })}
        </ol>
      </div>
      <Float
        box={box}
        lines={lines}
        player={player}
        isFollowing={reading.isFollowing}
        onFollow={reading.follow}
        onAttach={onAttach}
        onCopy={(chosen) => props.onCopy(textOf(chosen))}
      />
    </div>
  );
}

interface FloatProps {
  readonly box: { readonly current: HTMLElement | null };
  readonly lines: readonly Line[];
  readonly player: Player;
  readonly isFollowing: boolean;
  readonly onFollow: () => void;
  readonly onAttach: ((stretch: Stretch) => void) | undefined;
  readonly onCopy: (chosen: WordMatch) => void;
}

/** Buttons above the end of the list: for selected words, and back to the sound. */
function Float({ box, lines, player, isFollowing, onFollow, onAttach, onCopy }: FloatProps) {
  const { t } = useTexts();
  const { playing } = usePlayerState(player);
  const chosen = useChosenWords(box);
  const stretch = chosen && stretchOf(wordsOf(lines, chosen.first, chosen.last).flatMap(({ words }) => words));
  const isAway = !isFollowing && (playing || player.nowMs() > 0);
  if (!stretch && !isAway) return null;
  return (
    <div className={styles.float}>
      {chosen && stretch && (
        // biome-ignore lint/a11y/useSemanticElements: not a form
        <div className={styles.chosen} role="group" aria-label={t("chosen")}>
          <span className="tabular">
            {clock(stretch.startMs)}–{clock(stretch.endMs)}
          </span>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon name="play" size={12} />}
            onClick={() => player.playStretch(stretch)}
            {...keepFocus}
          >
            {t("playChosen")}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon name="copy" size={12} />}
            onClick={() => onCopy(chosen)}
            {...keepFocus}
          >
            {t("copyChosen")}
          </Button>
          {onAttach && (
            <Button
              size="compact-sm"
              leftSection={<Icon name="link" size={12} />}
              onClick={() => {
                onAttach(stretch);
                clearSelection();
              }}
              {...keepFocus}
            >
              {t("attachChosen")}
            </Button>
          )}
        </div>
      )}
      {isAway && (
        <Button
          size="compact-md"
          radius="xl"
          leftSection={<Icon name="arrowDown" size={14} />}
          onClick={onFollow}
          {...keepFocus}
        >
          {t("follow")}
        </Button>
      )}
    </div>
  );
}

const isIn = ({ first, words }: Line, word: number) => word >= first && word < first + words.length;

function indexOf(target: Element): number | undefined {
  const row = target.closest<HTMLElement>("[data-index]")?.dataset.index;
  return row === undefined ? undefined : Number(row);
}

/** Words from one to another, by line. */
function wordsOf(lines: readonly Line[], first: number, last: number): Pick<Line, "side" | "words">[] {
  const parts: Pick<Line, "side" | "words">[] = [];
  for (let index = lineOf(lines, first); index <= lineOf(lines, last); index++) {
    const line = lines[index];
    if (!line) continue;
    parts.push({ side: line.side, words: line.words.slice(Math.max(0, first - line.first), last - line.first + 1) });
  }
  return parts;
}

/** Words that were found, by line. A set stays the same object while its search does: lines are memoised. */
function useFound(lines: readonly Line[], matches: readonly WordMatch[]): ReadonlyMap<number, ReadonlySet<number>> {
  return useMemo(() => {
    const found = new Map<number, Set<number>>();
    for (const { first, last } of matches) {
      for (let word = first; word <= last; word++) {
        const line = lineOf(lines, word);
        const words = found.get(line) ?? new Set();
        found.set(line, words.add(word));
      }
    }
    return found;
  }, [lines, matches]);
}

/** Close enough that the scroll bar hardly moves when lines are measured. */
function estimateHeight(letters: number, width: number, offset: number | undefined): number {
  const isNarrow = width <= 560;
  const perRow = Math.max(20, (width - (isNarrow ? 40 : 240)) / 7.4);
  return Math.ceil(letters / perRow) * 25.6 + (offset === 0 ? 16 : 8) + (isNarrow && offset === 0 ? 28 : 0);
}
