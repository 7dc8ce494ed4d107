import { matchesKey, type Shortcut } from "../ui/shortcuts/shortcut-keys.ts";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { goBySpeech } from "./engine/go-by-speech.ts";
import type { Talk } from "./engine/lanes.ts";
import { toggleMute, toggleSolo } from "./engine/muting.ts";
import type { Player } from "./engine/player.ts";
import { nextSpeed } from "./engine/settings.ts";
import type { Span } from "./engine/speech.ts";
import { useTexts } from "./texts.ts";
import { useSideNames } from "./waveform/side-names.ts";

interface PlayerKeys {
  readonly player: Player;
  readonly talk: Talk;
  readonly zoom: (step: 1 | -1) => void;
  readonly copyLink: () => void;
}

/** Keyboard shortcuts of the player. */
export function usePlayerKeys({ player, talk, zoom, copyLink }: PlayerKeys): void {
  const { t } = useTexts();
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

function useMovingKeys(player: Player, { anySpeech, lanes }: Talk): Shortcut[] {
  const { t } = useTexts();
  const nameOf = useSideNames();
  const group = t("keysMoving");
  const sides = lanes.length > 1 ? lanes.slice(0, 2) : [];
  const by = (keys: Pair, text: string, ms: number) => ({
    keys,
    group,
    text,
    repeats: true,
    run: step(keys, (direction) => player.goBy(direction * ms)),
  });
  const bySpeech = (keys: Pair, text: string, spans: readonly Span[]) => ({
    keys,
    group,
    text,
    repeats: true,
    run: step(keys, (direction) => goBySpeech(player, spans, direction)),
  });
  return [
    { keys: ["Space", "k"], group, text: t("playOrPause"), run: player.toggle },
    by(["ArrowLeft", "ArrowRight"], t("by5"), 5000),
    by(["j", "l"], t("by10"), 10_000),
    by([",", "."], t("by1"), 1000),
    bySpeech(["Shift+ArrowLeft", "Shift+ArrowRight"], t("bySpeech"), anySpeech),
    ...sides.map(({ side, turns }, index) =>
      bySpeech(index === 0 ? ["Shift+A", "a"] : ["Shift+B", "b"], t("byWordsOf", { side: nameOf(side) }), turns),
    ),
    {
      keys: ["Home", "End"],
      group,
      text: t("toEnds"),
      run: ({ key }) => player.goTo(key === "Home" ? 0 : player.durationMs),
    },
    {
      keys: [..."0123456789"],
      shown: "0 – 9",
      group,
      text: t("toTenth"),
      run: ({ key }) => player.goTo((player.durationMs * Number(key)) / 10),
    },
  ];
}

function useHearingKeys(player: Player, { lanes }: Talk): Shortcut[] {
  const { t } = useTexts();
  const nameOf = useSideNames();
  const group = t("keysHearing");
  const channels = lanes.map(({ channel }) => channel);
  const sides = lanes.length > 1 ? lanes.slice(0, 2) : [];
  const flip = (name: "skipSilence" | "evened" | "spread") => () => player.change({ [name]: !player.state()[name] });
  const speed = (direction: 1 | -1) => () => player.change({ speed: nextSpeed(player.state().speed, direction) });
  return [
    // Alternatives for keyboard layouts without easy brackets.
    { keys: ["[", "<"], group, text: t("slower"), repeats: true, run: speed(-1) },
    { keys: ["]", ">"], group, text: t("faster"), repeats: true, run: speed(1) },
    { keys: ["x"], group, text: t("usualSpeed"), run: () => player.change({ speed: 1 }) },
    { keys: ["s"], group, text: t("skipSilence"), run: flip("skipSilence") },
    { keys: ["e"], group, text: t("evened"), run: flip("evened") },
    ...(sides.length > 0 ? [{ keys: ["w"], group, text: t("spreadDetail"), run: flip("spread") }] : []),
    ...sides.map(({ side, channel }, index) => ({
      // The review form uses M.
      keys: index === 0 ? ["m", "d"] : ["Shift+M", "Shift+D"],
      group,
      text: t("muteSide", { side: nameOf(side) }),
      run: () => player.mute(toggleMute(player.state().muted, channel)),
    })),
    ...sides.map(({ side, channel }, index) => ({
      keys: [index === 0 ? "o" : "Shift+O"],
      group,
      text: t("soloSide", { side: nameOf(side) }),
      run: () => player.mute(toggleSolo(channels, player.state().muted, channel)),
    })),
  ];
}

type Pair = readonly [back: string, forward: string];

const step =
  ([back]: Pair, go: (direction: 1 | -1) => void) =>
  (event: KeyboardEvent) =>
    go(matchesKey(event, back) ? -1 : 1);
