import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { Clock } from "./clock.tsx";
import { keepFocus } from "./keep-focus.ts";
import styles from "./player.module.css";
import type { Player } from "./player.ts";

interface PlacePanelProps {
  readonly player: Player;
  readonly zoom: (step: 1 | -1) => void;
}

/** Where one is, and how near one looks. */
export function PlacePanel({ player, zoom }: PlacePanelProps) {
  const { t } = useTexts("player");
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
