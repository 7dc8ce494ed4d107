import type { CallDetailBody } from "@hearback/sdk";
import { Group, Text } from "@mantine/core";
import { useFormat } from "../ui/time/use-format.ts";
import { talkOf } from "./engine/lanes.ts";
import styles from "./player.module.css";
import { useTexts } from "./texts.ts";
import { useSideNames } from "./waveform/side-names.ts";
import { useDurationText } from "./waveform/use-duration-text.ts";

interface TalkTimeProps {
  readonly audio: NonNullable<CallDetailBody["audio"]>;
  readonly durationMs: number;
}

interface Part {
  readonly name: string;
  readonly mark: string;
  readonly ms: number;
  /** Talk time without overtalk, for the stacked bar. */
  readonly aloneMs: number;
}

/** Talk time per side, as a bar and as numbers. */
export function TalkTime({ audio, durationMs }: TalkTimeProps) {
  const { t } = useTexts();
  const format = useFormat();
  const nameOf = useSideNames();
  const lengthOf = useDurationText();
  const both = audio.overtalk_ms ?? 0;
  const parts: Part[] = [
    ...talkOf(audio.sides, undefined, durationMs).lanes.map(({ side, colour, talk_ms }) => ({
      name: nameOf(side),
      mark: `var(${colour})`,
      ms: talk_ms,
      aloneMs: talk_ms - both,
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
