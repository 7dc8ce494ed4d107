import type { CallDetailBody } from "@hearback/sdk";
import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { openPlayer, type Player, type PlayerState } from "./player.ts";

type Heard = Pick<CallDetailBody, "recording"> & { readonly audio: NonNullable<CallDetailBody["audio"]> };

/** The player of an audio element, from the first paint on. What it is made from does not change with the call's names. */
export function usePlayer(element: RefObject<HTMLAudioElement | null>, { recording, audio }: Heard, startMs: number) {
  const [player, setPlayer] = useState<Player>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page shows one call; a correction of it does not stop the sound
  useLayoutEffect(() => {
    if (!element.current) return;
    const voices = audio.sides.map(({ channel, talk_ms, loudness_lufs }) => ({
      channel,
      // The noise of a line on which nobody speaks is not turned up.
      loudnessLufs: talk_ms > 0 ? loudness_lufs : null,
    }));
    const opened = openPlayer(element.current, { durationMs: recording.duration_ms ?? 0, voices });
    if (startMs > 0) opened.goTo(startMs);
    setPlayer(opened);
    return () => opened.close();
  }, []);
  return player;
}

export const usePlayerState = (player: Player): PlayerState => useSyncExternalStore(player.subscribe, player.state);

/** Does something whenever time passes, without rendering anything. */
export function useTime(player: Player, listener: (ms: number, moved: boolean) => void): void {
  useEffect(() => {
    listener(player.nowMs(), true);
    return player.onTime(listener);
  }, [player, listener]);
}
