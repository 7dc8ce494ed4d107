import type { Moment } from "@hearback/scoring/answers";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { transcriptQueries } from "./queries.ts";
import { toQuotes } from "./quotes.ts";
import { useSpeakers } from "./speakers.ts";
import { useTexts } from "./texts.ts";
import styles from "./transcript.module.css";

interface MomentWordsProps {
  readonly callId: string;
  readonly transcriptId: string;
  readonly moment: Moment;
}

/** What was said in a moment: looked up by time, so that erasing the call erases it. */
export function MomentWords({ callId, transcriptId, moment }: MomentWordsProps) {
  const { t } = useTexts();
  const { nameOf, textOf } = useSpeakers();
  const { data: transcript } = useQuery(transcriptQueries.one(callId, transcriptId));
  const { start_ms: startMs, end_ms: endMs } = moment;
  const quotes = useMemo(
    () => (transcript ? toQuotes(transcript, { startMs, endMs }) : []),
    [transcript, startMs, endMs],
  );
  if (quotes.length === 0) return null;
  return (
    <span className={styles.quote}>
      {quotes.map(({ side, words }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a moment do not move
        <span key={index}>{t("momentWords", { name: nameOf(side), words: `“${words.map(textOf).join(" ")}”` })} </span>
      ))}
    </span>
  );
}
