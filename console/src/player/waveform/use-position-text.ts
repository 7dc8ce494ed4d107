import { useCallback, useState } from "react";
import { clock } from "../../ui/time/use-format.ts";
import type { Talk } from "../engine/lanes.ts";
import type { Player } from "../engine/player.ts";
import { speakersAt } from "../engine/speech.ts";
import { useTime } from "../engine/use-player.ts";
import { useTexts } from "../texts.ts";
import { useSideNames } from "./side-names.ts";

/** Interval of announcements during playback. */
const everyMs = 5000;

/** Playback position as text, for screen readers. */
export function usePositionText(player: Player, talk: Talk) {
  const { t } = useTexts();
  const nameOf = useSideNames();
  const [ms, setMs] = useState(player.nowMs);
  useTime(
    player,
    useCallback(
      (now: number, moved: boolean) => {
        const playing = player.state().playing;
        setMs((before) => (moved || !playing || Math.abs(now - before) > everyMs ? now : before));
      },
      [player],
    ),
  );
  const speakers = speakersAt(talk.lanes, ms).map(nameOf);
  const position = { now: clock(ms), whole: clock(player.durationMs) };
  const [who] = speakers;
  if (!talk.isKnown) return { ms, text: t("positionOnly", position) };
  if (who === undefined) return { ms, text: t("positionSilent", position) };
  return { ms, text: speakers.length > 1 ? t("positionBoth", position) : t("positionSpeaking", { ...position, who }) };
}
