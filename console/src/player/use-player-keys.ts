import { useTexts } from "../i18n/use-texts.ts";
import { isPress, type Shortcut } from "../ui/keys.ts";
import { useShortcuts } from "../ui/shortcuts.tsx";
import { goBySpeech } from "./go.ts";
import type { Talk } from "./lanes.ts";
import { alone, toggled } from "./muting.ts";
import type { Player } from "./player.ts";
import { nextSpeed } from "./settings.ts";
import { useSideNames } from "./side-names.ts";
import type { Span } from "./speech.ts";

interface PlayerKeys {
  readonly player: Player;
  readonly talk: Talk;
  readonly zoom: (step: 1 | -1) => void;
  readonly copyLink: () => void;
}

/** Everything that is done all day, without leaving the keyboard. */
export function usePlayerKeys({ player, talk, zoom, copyLink }: PlayerKeys): void {
  const { t } = useTexts("player");
  const moving = useMovingKeys(player, talk);
  const hearing = useHearingKeys(player, talk);
  const group = t("keysSeeing");
  useShortcuts([
    ...moving,
    ...hearing,
    { keys: ["+", "="], group, text: t("zoomIn"), repeats: true, run: () => zoom(1) },
    { keys: ["-"], group, text: t("zoomOut"), repeats: true, run: () => zoom(-1) },
    { keys: ["y"], group, text: t("copyLink"), run: copyLink },
  ]);
}

function useMovingKeys(player: Player, { anybody, lanes }: Talk): Shortcut[] {
  const { t } = useTexts("player");
  const nameOf = useSideNames();
  const group = t("keysMoving");
  const sides = lanes.length > 1 ? lanes.slice(0, 2) : [];
  const by = (keys: Pair, text: string, ms: number) => ({
    ...{ keys, group, text, repeats: true },
    run: step(keys, (way) => player.goBy(way * ms)),
  });
  const bySpeech = (keys: Pair, text: string, spans: readonly Span[]) => ({
    ...{ keys, group, text, repeats: true },
    run: step(keys, (way) => goBySpeech(player, spans, way)),
  });
  return [
    { keys: ["Space", "k"], group, text: t("playOrPause"), run: player.toggle },
    by(["ArrowLeft", "ArrowRight"], t("by5"), 5000),
    by(["j", "l"], t("by10"), 10_000),
    by([",", "."], t("by1"), 1000),
    bySpeech(["Shift+ArrowLeft", "Shift+ArrowRight"], t("bySpeech"), anybody),
    ...sides.map(({ side, turns }, place) =>
      bySpeech(place === 0 ? ["Shift+A", "a"] : ["Shift+C", "c"], t("byWordsOf", { side: nameOf(side) }), turns),
    ),
    {
      ...{ keys: ["Home", "End"], group, text: t("toEnds") },
      run: ({ key }) => player.goTo(key === "Home" ? 0 : player.durationMs),
    },
    {
      ...{ keys: [..."0123456789"], shown: "0 – 9", group, text: t("toTenth") },
      run: ({ key }) => player.goTo((player.durationMs * Number(key)) / 10),
    },
  ];
}

function useHearingKeys(player: Player, { lanes }: Talk): Shortcut[] {
  const { t } = useTexts("player");
  const nameOf = useSideNames();
  const group = t("keysHearing");
  const channels = lanes.map(({ channel }) => channel);
  const sides = lanes.length > 1 ? lanes.slice(0, 2) : [];
  const flip = (name: "skipSilence" | "evened" | "spread") => () => player.change({ [name]: !player.state()[name] });
  const speed = (way: 1 | -1) => () => player.change({ speed: nextSpeed(player.state().speed, way) });
  return [
    // On keyboards where brackets are far away, the angles are near.
    { keys: ["[", "<"], group, text: t("slower"), repeats: true, run: speed(-1) },
    { keys: ["]", ">"], group, text: t("faster"), repeats: true, run: speed(1) },
    { keys: ["x"], group, text: t("usualSpeed"), run: () => player.change({ speed: 1 }) },
    { keys: ["s"], group, text: t("skipSilence"), run: flip("skipSilence") },
    { keys: ["e"], group, text: t("evened"), run: flip("evened") },
    ...(sides.length > 0 ? [{ keys: ["w"], group, text: t("spreadDetail"), run: flip("spread") }] : []),
    ...sides.map(({ side, channel }, place) => ({
      ...{ keys: [place === 0 ? "m" : "Shift+M"], group, text: t("muteSide", { side: nameOf(side) }) },
      run: () => player.mute(toggled(player.state().muted, channel)),
    })),
    ...sides.map(({ side, channel }, place) => ({
      ...{ keys: [place === 0 ? "o" : "Shift+O"], group, text: t("soloSide", { side: nameOf(side) }) },
      run: () => player.mute(alone(channels, player.state().muted, channel)),
    })),
  ];
}

/** Backward and forward. */
type Pair = readonly [back: string, forward: string];

const step =
  ([back]: Pair, go: (way: 1 | -1) => void) =>
  (event: KeyboardEvent) =>
    go(isPress(event, back) ? -1 : 1);
