import type { Moment } from "@hearback/scoring/answers";
import { type CallDetailBody, ServiceError } from "@hearback/sdk";
import { Paper, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { client } from "../client.ts";
import { Clock } from "../player/clock.tsx";
import { PlayButton } from "../player/controls.tsx";
import { talkOf } from "../player/engine/lanes.ts";
import type { Player } from "../player/engine/player.ts";
import { usePlayer } from "../player/engine/use-player.ts";
import { playerQueries } from "../player/queries.ts";
import { SoundProblem } from "../player/sound-problem.tsx";
import { SpeedMenu } from "../player/speed-menu.tsx";
import { useTexts as usePlayerTexts } from "../player/texts.ts";
import { Overview } from "../player/waveform/overview.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { type Playback, PlaybackProvider } from "./moments.tsx";
import classes from "./reviews.module.css";
import { useTexts } from "./texts.ts";

type PlayableCall = CallDetailBody & { readonly audio: NonNullable<CallDetailBody["audio"]> };

interface ReviewPlayerProps {
  readonly callId: string;
  /** Content that plays moments. */
  readonly children: ReactNode;
}

/** A small player that stays in view, and below it content that plays moments. */
export function ReviewPlayer({ callId, children }: ReviewPlayerProps) {
  const { t } = useTexts();
  const call = useQuery(playerQueries.call(callId));
  const [playback, setPlayback] = useState<Playback>();
  const isGone = call.error instanceof ServiceError && [400, 403, 404].includes(call.error.status);
  const audio = call.data?.audio;
  return (
    <PlaybackProvider value={playback}>
      {call.data && audio ? (
        <Sound call={{ ...call.data, audio }} onPlayback={setPlayback} />
      ) : call.isPending ? (
        <Skeleton height={66} />
      ) : isGone ? (
        <Note>{t("callGone")}</Note>
      ) : call.error ? (
        <Problem error={call.error} onRetry={() => void call.refetch()} />
      ) : (
        <Note>{t(call.data?.status === "failed" ? "callFailed" : "callNotReady")}</Note>
      )}
      {children}
    </PlaybackProvider>
  );
}

const Note = ({ children }: { readonly children: string }) => (
  <Paper withBorder p="sm" className={classes.note}>
    <Icon name="info" />
    <Text size="sm">{children}</Text>
  </Paper>
);

interface SoundProps {
  readonly call: PlayableCall;
  readonly onPlayback: (playback: Playback | undefined) => void;
}

function Sound({ call, onPlayback }: SoundProps) {
  const element = useRef<HTMLAudioElement>(null);
  const player = usePlayer(element, call, 0);
  const [callId, transcriptId] = [call.id, call.transcript?.id];
  useEffect(() => {
    if (!player) return;
    const { play, close } = playMoments(player);
    const transcript = transcriptId === undefined ? undefined : { callId, transcriptId };
    onPlayback({ play, nowMs: player.nowMs, durationMs: player.durationMs, transcript });
    return () => {
      close();
      onPlayback(undefined);
    };
  }, [player, onPlayback, callId, transcriptId]);
  return (
    <div className={classes.player}>
      {/* Not preloaded: the audit log records every request for audio, and opening a review is not playing the call. */}
      {/* biome-ignore lint/a11y/useMediaCaption: the page of the call has the transcript */}
      <audio ref={element} src={client.calls.audioUrl(call.id)} preload="none" />
      {player && <Board call={call} player={player} />}
    </div>
  );
}

/** Plays a moment and stops at its end, unless the listener moves elsewhere. */
function playMoments(player: Player) {
  let end: number | undefined;
  const close = player.onTime((ms, moved) => {
    if (moved) end = undefined;
    if (end === undefined || ms < end) return;
    end = undefined;
    if (player.state().playing) player.toggle();
  });
  const play = ({ start_ms, end_ms }: Moment) => {
    player.goTo(start_ms);
    end = end_ms > start_ms ? end_ms : undefined;
    if (!player.state().playing) player.toggle();
  };
  return { play, close };
}

function Board({ call, player }: { readonly call: PlayableCall; readonly player: Player }) {
  const waveform = useQuery(playerQueries.waveform(call.id));
  const speech = useQuery(playerQueries.speech(call.id));
  const talk = useMemo(
    () => talkOf(call.audio.sides, speech.data, player.durationMs),
    [call.audio.sides, speech.data, player],
  );
  useEffect(() => player.setSkips(talk.skips), [player, talk]);
  useKeys(player);
  const whole = useMemo(() => ({ fromMs: 0, toMs: player.durationMs }), [player]);
  return (
    <>
      <PlayButton player={player} size={40} />
      <div className={classes.overview}>
        <Overview player={player} talk={talk} waveform={waveform.data} view={whole} />
      </div>
      <Clock player={player} />
      <SpeedMenu player={player} />
      <SoundProblem player={player} />
    </>
  );
}

/** The most used keys of the player. */
function useKeys(player: Player): void {
  const { t } = usePlayerTexts();
  const group = t("keysMoving");
  const by = (back: string, forward: string, text: string, ms: number) => ({
    keys: [back, forward],
    group,
    text,
    repeats: true,
    run: ({ key }: KeyboardEvent) => player.goBy(key === back ? -ms : ms),
  });
  useShortcuts([
    { keys: ["Space", "k"], group, text: t("playOrPause"), run: player.toggle },
    by("ArrowLeft", "ArrowRight", t("by5"), 5000),
    by("j", "l", t("by10"), 10_000),
  ]);
}
