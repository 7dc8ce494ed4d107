import type { CallDetailBody } from "@hearback/sdk";
import { Paper, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { client } from "../client.ts";
import { Controls } from "../player/controls.tsx";
import { talkOf } from "../player/engine/lanes.ts";
import type { Player } from "../player/engine/player.ts";
import { usePlayer } from "../player/engine/use-player.ts";
import { PositionAndZoom } from "../player/position-and-zoom.tsx";
import { playerQueries } from "../player/queries.ts";
import { SidePanel } from "../player/side-panel.tsx";
import { SoundProblem } from "../player/sound-problem.tsx";
import { usePlayerKeys } from "../player/use-player-keys.ts";
import { type Mark, Overview } from "../player/waveform/overview.tsx";
import { useView } from "../player/waveform/use-view.ts";
import { ZoomedWaveform } from "../player/waveform/zoomed-waveform.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { useLazyLoad } from "../ui/lazy/use-lazy-load.ts";
import { AgentChannelPrompt } from "./agent-channel-prompt.tsx";
import styles from "./call-page.module.css";
import type { Rights } from "./rights.ts";
import { useTexts } from "./texts.ts";
import { useCopyLink } from "./use-copy-link.ts";

const loadCopyField = async () => (await import("../ui/form/copy-field.tsx")).CopyField;

type PlayableCall = Omit<CallDetailBody, "transcript"> & { readonly audio: NonNullable<CallDetailBody["audio"]> };

interface PlayerCardProps {
  readonly call: PlayableCall;
  readonly startMs: number;
  readonly rights: Rights;
  /** Beside a form: lower, and on small screens without the zoomed waveform. */
  readonly compact?: boolean;
  /** Stretches to highlight. */
  readonly marks?: readonly Mark[];
  readonly onPlayer?: (player: Player | undefined) => void;
}

/** Player of a processed call. */
export function PlayerCard({ call, startMs, onPlayer, ...board }: PlayerCardProps) {
  const element = useRef<HTMLAudioElement>(null);
  const player = usePlayer(element, call, startMs);
  useEffect(() => {
    onPlayer?.(player);
    return () => onPlayer?.(undefined);
  }, [player, onPlayer]);
  return (
    <Paper withBorder p={{ base: "sm", sm: "md" }} data-compact={board.compact || undefined}>
      {/* Not preloaded: the audit log records every request for audio, and opening a call is not playing it. */}
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is beside the player */}
      <audio ref={element} src={client.calls.audioUrl(call.id)} preload="none" />
      {player && <PlayerBoard call={call} player={player} {...board} />}
    </Paper>
  );
}

type BoardProps = Omit<PlayerCardProps, "startMs" | "onPlayer"> & { readonly player: Player };

function PlayerBoard({ call, player, rights, compact = false, marks }: BoardProps) {
  const { t } = useTexts();
  const waveform = useQuery(playerQueries.waveform(call.id));
  const speech = useQuery(playerQueries.speech(call.id));
  const talk = useMemo(
    () => talkOf(call.audio.sides, speech.data, player.durationMs),
    [call.audio.sides, speech.data, player],
  );
  useEffect(() => player.setSkips(talk.skips), [player, talk]);
  const { view, zoom, drag } = useView(player);
  const { copyLink, byHand, forget } = useCopyLink(call.id, player);
  // Loaded when a link cannot be copied.
  const CopyField = useLazyLoad(byHand !== undefined, loadCopyField, forget);
  usePlayerKeys({ player, talk, zoom, copyLink });
  const isBrief = useMediaQuery("(max-width: 62em)", undefined, { getInitialValueInEffect: false }) && compact;
  return (
    <Stack gap={compact ? "sm" : "md"}>
      <div className={styles.board} data-compact={compact || undefined}>
        {!isBrief && (
          <>
            <SidePanel player={player} lanes={talk.lanes} />
            <ZoomedWaveform player={player} talk={talk} waveform={waveform.data} view={view} drag={drag} />
          </>
        )}
        {!isBrief && <PositionAndZoom player={player} zoom={zoom} />}
        <Overview player={player} talk={talk} waveform={waveform.data} view={view} marks={marks} />
      </div>
      <Controls player={player} talk={talk} copyLink={copyLink} brief={isBrief} />
      {byHand && CopyField && <CopyField key={byHand} label={t("linkByHand")} value={byHand} first />}
      {rights.correct && <AgentChannelPrompt call={call} />}
      <SoundProblem player={player} />
      {waveform.error && <Problem error={waveform.error} onRetry={() => void waveform.refetch()} />}
      {speech.error && <Problem error={speech.error} onRetry={() => void speech.refetch()} />}
    </Stack>
  );
}
