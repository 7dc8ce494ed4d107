import { ActionIcon, Button, Group, Loader, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { Clock } from "./clock.tsx";
import { goBySpeech } from "./engine/go-by-speech.ts";
import type { Talk } from "./engine/lanes.ts";
import type { Player } from "./engine/player.ts";
import { skippedMs } from "./engine/silence-skips.ts";
import { usePlayerState } from "./engine/use-player.ts";
import { keepFocus } from "./keep-focus.ts";
import styles from "./player.module.css";
import { SpeedMenu } from "./speed-menu.tsx";
import { useTexts } from "./texts.ts";

interface ControlsProps {
  readonly player: Player;
  readonly talk: Talk;
  readonly copyLink: () => void;
  /** One row with the time and what is used most, for small screens. */
  readonly brief?: boolean;
}

export function Controls({ player, talk, copyLink, brief = false }: ControlsProps) {
  const { t } = useTexts();
  return (
    <div className={styles.controls}>
      {brief && <Clock player={player} />}
      <Group gap="xs" wrap="nowrap" className={brief ? undefined : styles.transport}>
        {!brief && (
          <Step label={t("previousSpeech")} onClick={() => goBySpeech(player, talk.anySpeech, -1)}>
            <Icon name="skipBack" />
          </Step>
        )}
        <Step label={t("back5")} onClick={() => player.goBy(-5000)}>
          −5
        </Step>
        <PlayButton player={player} size={brief ? 44 : 52} />
        <Step label={t("forward5")} onClick={() => player.goBy(5000)}>
          +5
        </Step>
        {!brief && (
          <Step label={t("nextSpeech")} onClick={() => goBySpeech(player, talk.anySpeech, 1)}>
            <Icon name="skipForward" />
          </Step>
        )}
      </Group>
      <Group gap="xs">
        <SpeedMenu player={player} />
        {!brief && (
          <>
            <Switches player={player} talk={talk} />
            <Step label={t("copyLink")} onClick={copyLink}>
              <Icon name="link" />
            </Step>
          </>
        )}
      </Group>
    </div>
  );
}

export function PlayButton({ player, size = 52 }: { readonly player: Player; readonly size?: number }) {
  const { t } = useTexts();
  const { playing, waiting } = usePlayerState(player);
  const label = playing ? t("pause") : t("play");
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={size}
        radius="xl"
        className={styles.play}
        aria-label={label}
        onClick={player.toggle}
        {...keepFocus}
      >
        {playing && waiting ? (
          <Loader size={size / 2.4} color="currentColor" />
        ) : (
          <Icon name={playing ? "pause" : "play"} size={size / 2.2} />
        )}
      </ActionIcon>
    </Tooltip>
  );
}

interface StepProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

const Step = ({ label, onClick, children }: StepProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" size={36} aria-label={label} onClick={onClick} fz="sm" fw={600} {...keepFocus}>
      {children}
    </ActionIcon>
  </Tooltip>
);

function Switches({ player, talk }: Pick<ControlsProps, "player" | "talk">) {
  const { t } = useTexts();
  const format = useFormat();
  const { skipSilence, evened, spread } = usePlayerState(player);
  const saved = skippedMs(talk.skips);
  const skip = saved >= 1000 ? t("skipSilenceOf", { time: format.duration(saved) }) : t("skipSilence");
  return (
    <>
      <Choice
        on={skipSilence}
        detail={t("skipSilenceDetail")}
        onClick={() => player.change({ skipSilence: !skipSilence })}
      >
        {skip}
      </Choice>
      <Choice on={evened} detail={t("evenedDetail")} onClick={() => player.change({ evened: !evened })}>
        {t("evened")}
      </Choice>
      {talk.lanes.length > 1 && (
        <Choice on={spread} detail={t("spreadDetail")} onClick={() => player.change({ spread: !spread })}>
          {t("spread")}
        </Choice>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly on: boolean;
  readonly detail: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

const Choice = ({ on, detail, onClick, children }: ChoiceProps) => (
  <Tooltip label={detail} multiline maw={260}>
    <Button
      variant={on ? "light" : "default"}
      px="sm"
      aria-pressed={on}
      leftSection={on && <Icon name="check" size={14} />}
      onClick={onClick}
      {...keepFocus}
    >
      {children}
    </Button>
  </Tooltip>
);
