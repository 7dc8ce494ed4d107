import { Text } from "@mantine/core";
import { useCallback, useRef } from "react";
import { clock } from "../ui/use-format.ts";
import styles from "./player.module.css";
import type { Player } from "./player.ts";
import { useTime } from "./use-player.ts";

/** The time, written without rendering. The slider says it to a screen reader. */
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
