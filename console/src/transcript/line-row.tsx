import { memo } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import { clock } from "../ui/time/use-format.ts";
import type { Line } from "./lines.ts";
import type { Speakers } from "./speakers.ts";
import type { Translate } from "./texts.ts";
import styles from "./transcript.module.css";

export type LineAction = "play" | "copy" | "attach" | "correct";

interface LineRowProps {
  readonly line: Line;
  readonly index: number;
  /** Of the transcript. */
  readonly language: string;
  /** Of the reader. */
  readonly uiLanguage: string;
  readonly speakers: Speakers;
  readonly t: Translate;
  /** Whether its controls are in the tab order. */
  readonly current: boolean;
  /** Words that were searched for. */
  readonly found: ReadonlySet<number> | undefined;
  /** First word of the match that is shown. */
  readonly shownMatch: number | undefined;
  readonly mayAttach: boolean;
  readonly mayCorrect: boolean;
}

const colours: Readonly<Record<string, string>> = { agent: "--side-agent", customer: "--side-customer" };
export const colourOf = (side: Line["side"]) => `var(${colours[side] ?? "--side-other"})`;

/** One line. Events are handled by the list, and memoised: scrolling renders only new lines. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, index, language, uiLanguage, speakers, t, current, found, shownMatch, mayAttach, mayCorrect } = props;
  const { side, words, startMs, offset } = line;
  const name = speakers.nameOf(side);
  const time = clock(startMs);
  const tabIndex = current ? 0 : -1;
  const textId = `transcript-line-${index}`;
  const button = (action: LineAction, icon: IconName, label: string) => (
    <button
      type="button"
      className={styles.tool}
      data-action={action}
      tabIndex={tabIndex}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} size={14} />
    </button>
  );
  return (
    <div className={styles.line} data-side={side} data-first={offset === 0 || undefined}>
      <div className={styles.head}>
        <span className={styles.speaker} style={{ color: colourOf(side) }} {...(offset > 0 && { "data-again": "" })}>
          {name}
        </span>
        <button
          type="button"
          className={`${styles.time} tabular`}
          data-action="play"
          tabIndex={tabIndex}
          aria-label={t("playFrom", { time, name })}
          aria-describedby={textId}
        >
          {time}
        </button>
      </div>
      <p id={textId} className={styles.words} lang={language}>
        {words.map((word, at) => {
          const id = line.first + at;
          const isFound = found?.has(id);
          const { mask, uncertain, correction } = word;
          const isPlain = !isFound && !mask && !uncertain && !correction;
          if (isPlain)
            return (
              <span key={id}>
                <span data-w={id}>{word.text}</span>{" "}
              </span>
            );
          const text = speakers.textOf(word);
          return (
            <span key={id}>
              <span
                data-w={id}
                className={[
                  mask && styles.mask,
                  uncertain && !correction && styles.uncertain,
                  correction && styles.corrected,
                ]
                  .filter(Boolean)
                  .join(" ")}
                {...(uncertain && !correction && { title: t("uncertain") })}
                {...(mask && { lang: uiLanguage })}
              >
                {isFound ? (
                  <mark className={styles.found} {...(id === shownMatch && { "data-shown": "" })}>
                    {text}
                  </mark>
                ) : (
                  text
                )}
                {uncertain && !correction && <span className={styles.hidden}> ({t("uncertain")})</span>}
                {correction && (
                  <span className={styles.original} lang={uiLanguage}>
                    {" "}
                    {t("originally")} <s lang={language}>{correction.original}</s>
                  </span>
                )}
              </span>{" "}
            </span>
          );
        })}
      </p>
      <div className={styles.tools}>
        {mayAttach && button("attach", "link", t("attachLine"))}
        {button("copy", "copy", t("copyLine"))}
        {mayCorrect && button("correct", "edit", t("correctLine"))}
      </div>
    </div>
  );
});
