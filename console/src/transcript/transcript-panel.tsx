import type { TranscriptBody } from "@hearback/sdk";
import { ActionIcon, Text, TextInput, Title, Tooltip } from "@mantine/core";
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { client } from "../client.ts";
import type { Player } from "../player/engine/player.ts";
import { keepFocus } from "../player/keep-focus.ts";
import { toast, toastProblem } from "../ui/feedback/toast.tsx";
import { Icon } from "../ui/icon.tsx";
import { saveFile } from "../ui/save-file.ts";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import type { EvidenceTarget } from "./evidence.ts";
import { findWords, toWordIndex, type WordMatch } from "./find-words.ts";
import { LineList, type LineListHandle } from "./line-list.tsx";
import { lineOf, type Stretch, toLines } from "./lines.ts";
import { useRequestTranscription } from "./queries.ts";
import { useSpeakers, withTime } from "./speakers.ts";
import { useTexts } from "./texts.ts";
import styles from "./transcript.module.css";
import { toWordClock } from "./word-clock.ts";

export interface TranscriptPanelProps {
  readonly transcript: TranscriptBody;
  /** Id of the heading. */
  readonly titleId: string;
  readonly player: Player;
  readonly compact: boolean;
  readonly mayCorrect: boolean;
  /** Supervisors transcribe calls again. */
  readonly mayRequest: boolean;
  /** Words that the list of calls was searched for. */
  readonly said: string | undefined;
  readonly evidence: EvidenceTarget | undefined;
}

const noMatches: readonly WordMatch[] = [];

/** Search field, menu and lines of a transcript. */
export function TranscriptPanel(props: TranscriptPanelProps) {
  const { transcript, titleId, player, compact, mayCorrect, mayRequest, said, evidence } = props;
  const { t } = useTexts();
  const speakers = useSpeakers();
  const lines = useMemo(() => toLines(transcript), [transcript]);
  const times = useMemo(() => toWordClock(transcript), [transcript]);
  const list = useRef<LineListHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const search = useSearch({ transcript, player, said, show: (word) => list.current?.show(word) });
  const request = useRequestTranscription(transcript.call_id);
  const [attached, setAttached] = useState("");

  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t("copied"));
    } catch {
      toastProblem(t("copyFailed"));
    }
  };
  const attach = (stretch: Stretch) => {
    const result = evidence?.attach(stretch);
    if (!result) return setAttached(t("attachNone"));
    setAttached(t(result.isFull ? "attachFull" : "attached", { question: result.question }));
  };
  const download = async (format: "text" | "vtt") => {
    try {
      const { body } = await client.transcripts.download(transcript.call_id, { format });
      const name = `transcript-${transcript.call_id}.${format === "text" ? "txt" : "vtt"}`;
      saveFile(name, await new Response(body).blob());
    } catch {
      toastProblem(t("notDownloaded"));
    }
  };
  const masked = Object.values(transcript.masked).reduce((sum, count) => sum + count, 0);
  const group = t("title");
  useShortcuts([
    { keys: ["/"], group, text: t("keySearch"), run: () => field.current?.focus() },
    { keys: ["f"], group, text: t("keyFollow"), run: () => list.current?.follow() },
    { keys: ["v"], group, text: t("keyLine"), run: () => list.current?.focusCurrent() },
    ...(evidence
      ? [
          {
            keys: ["q"],
            group,
            text: t("keyAttach"),
            run: () => {
              const stretch = list.current?.pick();
              if (stretch) attach(stretch);
            },
          },
        ]
      : []),
  ]);
  const actions = [
    {
      label: t("copyAll"),
      icon: "copy" as const,
      onClick: () => void copy(lines.map((line) => withTime(speakers, line)).join("\n")),
    },
    ...(["text", "vtt"] as const).map((format) => ({
      label: t(format === "text" ? "downloadText" : "downloadVtt"),
      icon: "download" as const,
      onClick: () => void download(format),
    })),
    ...(mayRequest
      ? [
          {
            label: t("transcribeAgain"),
            icon: "refresh" as const,
            onClick: () =>
              request.mutate(undefined, {
                onSuccess: () => toast(t("requested")),
                onError: () => toastProblem(t("notRequested")),
              }),
          },
        ]
      : []),
  ];
  return (
    <>
      <div className={styles.bar}>
        <Title order={2} size="h5" id={titleId} className={styles.title}>
          {t("title")}
        </Title>
        <SearchField field={field} search={search} />
        <RowMenu name={t("title")} actions={actions} />
      </div>
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("noWords")}
        </Text>
      ) : (
        <LineList
          ref={list}
          callId={transcript.call_id}
          {...{ transcript, lines, times, player, speakers, compact, mayCorrect }}
          matches={search.matches}
          shownMatch={search.matches[search.at]}
          onAttach={evidence && attach}
          onCopy={(text) => void copy(text)}
        />
      )}
      {(masked > 0 || evidence) && (
        <div className={styles.foot}>
          {masked > 0 && <span>{t(transcript.sound_masked ? "maskedWithSound" : "masked", { count: masked })}</span>}
          <span role="status">{attached}</span>
        </div>
      )}
    </>
  );
}

interface SearchOptions extends Pick<TranscriptPanelProps, "transcript" | "player" | "said"> {
  readonly show: (word: number) => void;
}

function useSearch({ transcript, player, said, show }: SearchOptions) {
  const [typed, setTyped] = useState(said ?? "");
  const searched = useDeferredValue(typed);
  const isSearching = searched.trim() !== "";
  const index = useMemo(() => (isSearching ? toWordIndex(transcript) : undefined), [isSearching, transcript]);
  const matches = useMemo(() => (index ? findWords(index, searched) : noMatches), [index, searched]);
  const [at, setAt] = useState(0);
  const isOpening = useRef(said !== undefined);
  const latest = useRef({ show, transcript, player });
  useEffect(() => {
    latest.current = { show, transcript, player };
  });
  // The first match from the current position on.
  useEffect(() => {
    const { transcript: now, player: of, show: bring } = latest.current;
    if (matches.length === 0) return setAt(0);
    const lines = toLines(now);
    const startOf = (word: number) => {
      const line = lines[lineOf(lines, word)];
      return line?.words[word - line.first]?.start_ms ?? 0;
    };
    const next = Math.max(
      0,
      matches.findIndex(({ first }) => startOf(first) >= of.nowMs() - 1_000),
    );
    setAt(next);
    bring(matches[next]?.first ?? 0);
    // Opened from a list that was searched, without a moment.
    if (isOpening.current && of.nowMs() === 0) of.goTo(startOf(matches[next]?.first ?? 0));
    isOpening.current = false;
  }, [matches]);
  return {
    typed,
    setTyped,
    matches,
    at,
    isSearching,
    step(by: 1 | -1) {
      if (matches.length === 0) return;
      const next = (at + by + matches.length) % matches.length;
      setAt(next);
      show(matches[next]?.first ?? 0);
    },
  };
}

interface SearchFieldProps {
  readonly field: React.Ref<HTMLInputElement>;
  readonly search: ReturnType<typeof useSearch>;
}

function SearchField({ field, search }: SearchFieldProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { typed, setTyped, matches, at, isSearching, step } = search;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      if (typed === "") event.currentTarget.blur();
      setTyped("");
    } else return;
    event.preventDefault();
  };
  const number = format.number;
  const count = matches.length === 0 ? t("noMatch") : t("matchOf", { at: number(at + 1), of: number(matches.length) });
  return (
    <>
      <TextInput
        ref={field}
        type="search"
        size="sm"
        className={styles.search}
        aria-label={t("search")}
        placeholder={t("search")}
        maxLength={200}
        leftSection={<Icon name="search" size={16} />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span className={`${styles.count} tabular`} role="status">
        {isSearching && count}
      </span>
      {isSearching && (
        <>
          <StepButton
            label={t("previousMatch")}
            icon="arrowUp"
            disabled={matches.length < 2}
            onClick={() => step(-1)}
          />
          <StepButton label={t("nextMatch")} icon="arrowDown" disabled={matches.length < 2} onClick={() => step(1)} />
        </>
      )}
    </>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly icon: "arrowUp" | "arrowDown";
  readonly disabled: boolean;
  readonly onClick: () => void;
}

const StepButton = ({ label, icon, ...button }: StepButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" size={34} aria-label={label} {...button} {...keepFocus}>
      <Icon name={icon} size={16} />
    </ActionIcon>
  </Tooltip>
);
