import { Text } from "@mantine/core";
import { useCallback, useRef } from "react";
import { clock } from "../ui/time/use-format.ts";
import type { Player } from "./engine/player.ts";
import { useTime } from "./engine/use-player.ts";
import styles from "./player.module.css";

/** Updated without rendering. Screen readers use the slider instead. */
export function Clock({ player }: { readonly player: Player }) {
  const now = useRef<HTMLSpanElement>(null);
  useTime(
    player,
    useCallback((ms: number) => {
      const text = clock(ms);
      if (now.current && now.current.textContent !== text) now.current.textContent = text;
    }, []),
  );
  return (
    <Text className={styles.clock} component="div" aria-hidden="true">
      <span ref={now} className={styles.now} />
      <Text span c="dimmed" size="sm">{` / ${clock(player.durationMs)}`}</Text>
    </Text>
  );
}
