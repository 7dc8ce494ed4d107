import type { CallDetailBody } from "@hearback/sdk";
import { Paper, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { client } from "../client.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Problem } from "../ui/problem.tsx";
import { usePart } from "../ui/use-part.ts";
import { Closeup } from "./closeup.tsx";
import { Controls } from "./controls.tsx";
import { talkOf } from "./lanes.ts";
import { Overview } from "./overview.tsx";
import { PlacePanel } from "./place-panel.tsx";
import styles from "./player.module.css";
import type { Player } from "./player.ts";
import { playerQueries } from "./queries.ts";
import type { Rights } from "./rights.ts";
import { SidePanel } from "./side-panel.tsx";
import { SoundProblem } from "./sound-problem.tsx";
import { useCopyLink } from "./use-copy-link.ts";
import { useMomentInAddress } from "./use-moment-in-address.ts";
import { usePlayer } from "./use-player.ts";
import { usePlayerKeys } from "./use-player-keys.ts";
import { useView } from "./use-view.ts";
import { WhichSide } from "./which-side.tsx";

const loadCopyField = async () => (await import("../ui/copy-field.tsx")).CopyField;

type Heard = CallDetailBody & { readonly audio: NonNullable<CallDetailBody["audio"]> };

/** Small enough to be fetched before anybody asks for it. */
const shortBytes = 2_000_000;

interface PlayerCardProps {
  readonly call: Heard;
  readonly startMs: number;
  readonly rights: Rights;
}

/** A call that can be heard. */
export function PlayerCard({ call, startMs, rights }: PlayerCardProps) {
  const element = useRef<HTMLAudioElement>(null);
  const player = usePlayer(element, call, startMs);
  return (
    <Paper withBorder p={{ base: "sm", sm: "md" }}>
      {/* biome-ignore lint/a11y/useMediaCaption: what is said is not written down yet */}
      <audio
        ref={element}
        src={client.calls.audioUrl(call.id)}
        preload={call.audio.playback.bytes < shortBytes ? "auto" : "metadata"}
      />
      {player && <Board call={call} player={player} rights={rights} />}
    </Paper>
  );
}

function Board({ call, player, rights }: Omit<PlayerCardProps, "startMs"> & { readonly player: Player }) {
  const { t } = useTexts("player");
  const waveform = useQuery(playerQueries.waveform(call.id));
  const speech = useQuery(playerQueries.speech(call.id));
  const talk = useMemo(
    () => talkOf(call.audio.sides, speech.data, player.durationMs),
    [call.audio.sides, speech.data, player],
  );
  useEffect(() => player.setSkips(talk.skips), [player, talk]);
  const { view, zoom, drag } = useView(player);
  useMomentInAddress(player);
  const { copyLink, byHand, forget } = useCopyLink(call.id, player);
  // Fetched when a link cannot be copied.
  const CopyField = usePart(byHand !== undefined, loadCopyField, forget);
  usePlayerKeys({ player, talk, zoom, copyLink });
  return (
    <Stack gap="md">
      <div className={styles.board}>
        <SidePanel player={player} lanes={talk.lanes} />
        <Closeup player={player} talk={talk} waveform={waveform.data} view={view} drag={drag} />
        <PlacePanel player={player} zoom={zoom} />
        <Overview player={player} talk={talk} waveform={waveform.data} view={view} />
      </div>
      <Controls player={player} talk={talk} copyLink={copyLink} />
      {byHand && CopyField && <CopyField key={byHand} label={t("linkByHand")} value={byHand} first />}
      {rights.correct && <WhichSide call={call} />}
      <SoundProblem player={player} />
      {waveform.error && <Problem error={waveform.error} onRetry={() => void waveform.refetch()} />}
      {speech.error && <Problem error={speech.error} onRetry={() => void speech.refetch()} />}
    </Stack>
  );
}
