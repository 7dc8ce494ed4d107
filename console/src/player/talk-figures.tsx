import type { CallDetailBody } from "@hearback/sdk";
import { Group, Text } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { useFormat } from "../ui/use-format.ts";
import { talkOf } from "./lanes.ts";
import styles from "./player.module.css";
import { useSideNames } from "./side-names.ts";
import { useLength } from "./use-length.ts";

interface TalkFiguresProps {
  readonly audio: NonNullable<CallDetailBody["audio"]>;
  readonly durationMs: number;
}

interface Part {
  readonly name: string;
  readonly mark: string;
  readonly ms: number;
  /** What is left of it in the bar, where nothing is counted twice. */
  readonly aloneMs: number;
}

/** Who speaks how much, as a bar and in figures. */
export function TalkFigures({ audio, durationMs }: TalkFiguresProps) {
  const { t } = useTexts("player");
  const format = useFormat();
  const nameOf = useSideNames();
  const lengthOf = useLength();
  const both = audio.overtalk_ms ?? 0;
  const parts: Part[] = [
    ...talkOf(audio.sides, undefined, durationMs).lanes.map(({ side, colour, talk_ms }) => ({
      ...{ name: nameOf(side), mark: `var(${colour})`, ms: talk_ms, aloneMs: talk_ms - both },
    })),
    ...(audio.overtalk_ms !== null ? [{ name: t("overtalk"), mark: "var(--overtalk)", ms: both, aloneMs: both }] : []),
    { name: t("silence"), mark: "var(--silence-mark)", ms: audio.silence_ms, aloneMs: audio.silence_ms },
  ];
  const share = (ms: number) => format.percent(durationMs > 0 ? ms / durationMs : 0);
  return (
    <>
      <div className={styles.parts} aria-hidden="true">
        {parts.map(({ name, mark, aloneMs }) => (
          <div key={name} className={styles.part} style={{ background: mark, flexGrow: Math.max(0, aloneMs) }} />
        ))}
      </div>
      <dl className={styles.figures}>
        {parts.map(({ name, mark, ms }) => (
          <Figure key={name} name={name} mark={mark} share={share(ms)} time={lengthOf(ms)} />
        ))}
        <Figure name={t("longestSilence")} time={lengthOf(audio.longest_silence_ms)} />
      </dl>
    </>
  );
}

interface FigureProps {
  readonly name: string;
  readonly mark?: string;
  readonly share?: string;
  readonly time: string;
}

const Figure = ({ name, mark, share, time }: FigureProps) => (
  <div>
    <dt>
      <Group gap={8} wrap="nowrap">
        <span className={styles.dot} style={{ background: mark ?? "transparent" }} />
        {name}
      </Group>
    </dt>
    <Text component="dd" size="sm" className="tabular" fw={600}>
      {share}
    </Text>
    <Text component="dd" size="sm" className="tabular" c="dimmed">
      {time}
    </Text>
  </div>
);
