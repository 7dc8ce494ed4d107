import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Problem } from "../ui/feedback/problem.tsx";
import { clock } from "../ui/time/use-format.ts";
import { colourOf } from "./line-row.tsx";
import type { Line } from "./lines.ts";
import { useCorrectWord } from "./queries.ts";
import type { Speakers } from "./speakers.ts";
import { useTexts } from "./texts.ts";
import styles from "./transcript.module.css";

/** As in the API. */
const mostLetters = 100;

interface EditLineProps {
  readonly callId: string;
  readonly transcriptId: string;
  readonly line: Line;
  readonly language: string;
  readonly speakers: Speakers;
  readonly onClose: () => void;
}

/** Corrects words of a line. Arrows move between the words, Enter opens one. */
export function EditLine({ callId, transcriptId, line, language, speakers, onClose }: EditLineProps) {
  const { t } = useTexts();
  const { words, side, offset } = line;
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      words.findIndex(({ uncertain }) => uncertain),
    ),
  );
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isOpen) return;
    const word = place.current?.querySelector<HTMLElement>(`[data-at="${at}"]`);
    word?.focus({ preventScroll: !isFirst.current });
    isFirst.current = false;
  }, [at, isOpen]);
  const step = (by: 1 | -1) => {
    for (let next = at + by; next >= 0 && next < words.length; next += by) if (!words[next]?.mask) return setAt(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      if (isOpen) setOpen(false);
      else onClose();
    } else if (isOpen) return;
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const time = clock(line.startMs);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons inside
    <div ref={place} className={styles.editing} onKeyDown={onKeyDown}>
      <Group gap="xs" justify="space-between" mb={6}>
        <span className={styles.speaker} style={{ color: colourOf(side) }}>
          {speakers.nameOf(side)} <span className="tabular">{time}</span>
        </span>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t("correctDone")}
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend */}
      <div role="group" aria-label={t("correctHint")} className={styles.words} lang={language}>
        {words.map((word, index) => {
          const id = line.first + index;
          if (isOpen && index === at)
            return (
              <WordField
                key={id}
                {...{ callId, transcriptId }}
                turn={line.turn}
                word={offset + index}
                text={word.text}
                original={word.correction?.original}
                onClose={() => setOpen(false)}
              />
            );
          const text = speakers.textOf(word);
          return (
            <span key={id}>
              <button
                type="button"
                data-at={index}
                className={styles.edited}
                tabIndex={index === at ? 0 : -1}
                disabled={word.mask !== undefined}
                {...(word.correction && {
                  "data-corrected": "",
                  title: `${t("originally")} ${word.correction.original}`,
                })}
                onFocus={() => setAt(index)}
                onClick={() => {
                  setAt(index);
                  setOpen(true);
                }}
              >
                {text}
                {word.uncertain && !word.correction && <span className={styles.hidden}> ({t("uncertain")})</span>}
              </button>{" "}
            </span>
          );
        })}
      </div>
    </div>
  );
}

interface WordFieldProps {
  readonly callId: string;
  readonly transcriptId: string;
  readonly turn: number;
  readonly word: number;
  readonly text: string;
  /** What the engine understood, if the word was corrected. */
  readonly original: string | undefined;
  readonly onClose: () => void;
}

function WordField({ callId, transcriptId, turn, word, text, original, onClose }: WordFieldProps) {
  const { t, language } = useTexts();
  const correct = useCorrectWord(callId, transcriptId);
  const [typed, setTyped] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const save = (next: string | null) => correct.mutate({ turn, word, text: next }, { onSuccess: onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = typed.trim();
    if (next === text) onClose();
    else if (next !== "") save(next);
  };
  return (
    <form className={styles.field} onSubmit={submit} lang={language}>
      <TextInput
        ref={field}
        size="xs"
        w={170}
        required
        aria-label={t("correctWord", { word: original ?? text })}
        maxLength={mostLetters}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button size="compact-xs" type="submit" loading={correct.isPending}>
        {t("correctSave")}
      </Button>
      <Button size="compact-xs" variant="default" onClick={onClose}>
        {t("correctCancel")}
      </Button>
      {original !== undefined && (
        <Button size="compact-xs" variant="subtle" disabled={correct.isPending} onClick={() => save(null)}>
          {t("correctUndo", { original })}
        </Button>
      )}
      {correct.error && <Problem error={correct.error} />}
    </form>
  );
}
