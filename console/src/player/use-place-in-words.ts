import { useCallback, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { clock } from "../ui/use-format.ts";
import type { Talk } from "./lanes.ts";
import type { Player } from "./player.ts";
import { useSideNames } from "./side-names.ts";
import { speakersAt } from "./speech.ts";
import { useTime } from "./use-player.ts";

/** While it plays the place is told this often: more would be chatter. */
const everyMs = 5000;

/** Where in the call one is, in words. */
export function usePlaceInWords(player: Player, talk: Talk) {
  const { t } = useTexts("player");
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
  const place = { now: clock(ms), whole: clock(player.durationMs) };
  const [who] = speakers;
  if (!talk.isKnown) return { ms, text: t("placeOnly", place) };
  if (who === undefined) return { ms, text: t("placeSilent", place) };
  return { ms, text: speakers.length > 1 ? t("placeBoth", place) : t("placeSpeaking", { ...place, who }) };
}
