import type { CallDetailBody } from "@hearback/sdk";
import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { openPlayer, type Player, type PlayerState } from "./player.ts";

type PlayableCall = Pick<CallDetailBody, "recording"> & { readonly audio: NonNullable<CallDetailBody["audio"]> };

/** Creates the player on mount. Later changes of the call do not restart playback. */
export function usePlayer(
  element: RefObject<HTMLAudioElement | null>,
  { recording, audio }: PlayableCall,
  startMs: number,
) {
  const [player, setPlayer] = useState<Player>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: edits of the call must not restart playback
  useLayoutEffect(() => {
    if (!element.current) return;
    const voices = audio.sides.map(({ channel, talk_ms, loudness_lufs }) => ({
      channel,
      // Line noise without speech must not be amplified.
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

/** Calls the listener on every time update, without rendering. */
export function useTime(player: Player, listener: (ms: number, moved: boolean) => void): void {
  useEffect(() => {
    listener(player.nowMs(), true);
    return player.onTime(listener);
  }, [player, listener]);
}
