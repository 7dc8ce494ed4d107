import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { Clock } from "./clock.tsx";
import type { Player } from "./engine/player.ts";
import { keepFocus } from "./keep-focus.ts";
import styles from "./player.module.css";
import { useTexts } from "./texts.ts";

interface PositionAndZoomProps {
  readonly player: Player;
  readonly zoom: (step: 1 | -1) => void;
}

/** Current time and zoom buttons. */
export function PositionAndZoom({ player, zoom }: PositionAndZoomProps) {
  const { t } = useTexts();
  return (
    <div className={styles.panel}>
      <Clock player={player} />
      <Group gap={0} wrap="nowrap">
        {([-1, 1] as const).map((step) => {
          const label = step < 0 ? t("zoomOut") : t("zoomIn");
          return (
            <Tooltip key={step} label={label}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={26}
                aria-label={label}
                onClick={() => zoom(step)}
                {...keepFocus}
              >
                <Icon name={step < 0 ? "zoomOut" : "zoomIn"} size={16} />
              </ActionIcon>
            </Tooltip>
          );
        })}
      </Group>
    </div>
  );
}
