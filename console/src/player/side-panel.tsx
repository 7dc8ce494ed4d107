import { ActionIcon, Group, Text, Tooltip } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import type { Lane } from "./engine/lanes.ts";
import { soloChannel, toggleMute, toggleSolo } from "./engine/muting.ts";
import type { Player } from "./engine/player.ts";
import { usePlayerState } from "./engine/use-player.ts";
import { keepFocus } from "./keep-focus.ts";
import styles from "./player.module.css";
import { useTexts } from "./texts.ts";
import { useSideNames } from "./waveform/side-names.ts";

interface SidePanelProps {
  readonly player: Player;
  readonly lanes: readonly Lane[];
}

/** Voices with talk time, mute and solo. */
export function SidePanel({ player, lanes }: SidePanelProps) {
  return (
    <div className={styles.sides}>
      {lanes.map((lane) => (
        <Side key={lane.channel} player={player} lane={lane} lanes={lanes} />
      ))}
    </div>
  );
}

function Side({ player, lane, lanes }: SidePanelProps & { readonly lane: Lane }) {
  const { t } = useTexts();
  const format = useFormat();
  const nameOf = useSideNames();
  const { muted } = usePlayerState(player);
  const name = nameOf(lane.side);
  const channels = lanes.map(({ channel }) => channel);
  const isMuted = muted.has(lane.channel);
  const isAlone = soloChannel(channels, muted) === lane.channel;
  const mute = () => player.mute(toggleMute(muted, lane.channel));
  const solo = () => player.mute(toggleSolo(channels, muted, lane.channel));
  return (
    <section className={styles.side} aria-label={name}>
      <Group gap={8} wrap="nowrap">
        <span className={styles.dot} style={{ background: `var(${lane.colour})` }} />
        <Text fw={600} size="sm" truncate td={isMuted ? "line-through" : undefined}>
          {name}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" className="tabular">
        {t("talkShare", { share: format.percent(lane.talk_ms / Math.max(1, player.durationMs)) })}
      </Text>
      {lanes.length > 1 && (
        <Group gap={6} wrap="nowrap">
          <Toggle
            label={t("muteSide", { side: name })}
            icon={isMuted ? "muted" : "volume"}
            on={isMuted}
            onClick={mute}
          />
          <Toggle label={t("soloSide", { side: name })} icon="headphones" on={isAlone} onClick={solo} />
        </Group>
      )}
    </section>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly icon: "muted" | "volume" | "headphones";
  readonly on: boolean;
  readonly onClick: () => void;
}

const Toggle = ({ label, icon, on, onClick }: ToggleProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant={on ? "filled" : "default"}
      size="md"
      aria-label={label}
      aria-pressed={on}
      onClick={onClick}
      {...keepFocus}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  </Tooltip>
);
