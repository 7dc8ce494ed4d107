import type { Moment } from "@hearback/scoring/answers";
import { Button, Group, Text } from "@mantine/core";
import { createContext, Fragment, Suspense, useContext } from "react";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { clock } from "../ui/time/use-format.ts";
import { useTexts } from "./texts.ts";

/** Plays a moment, and reads the position of the player. */
export interface Playback {
  readonly play: (moment: Moment) => void;
  readonly nowMs: () => number;
  readonly durationMs: number;
  /** Where the words of the call are. */
  readonly transcript: { readonly callId: string; readonly transcriptId: string } | undefined;
}

/** undefined: the call cannot be played. */
const PlaybackContext = createContext<Playback | undefined>(undefined);
export const PlaybackProvider = PlaybackContext.Provider;
export const usePlayback = (): Playback | undefined => useContext(PlaybackContext);

const MomentWords = lazyComponent(async () => (await import("../transcript/moment-words.tsx")).MomentWords);

/** Stretches of the recording, with what was said in them. A click plays one. */
export function Moments({ moments }: { readonly moments: readonly Moment[] }) {
  const transcript = usePlayback()?.transcript;
  if (moments.length === 0) return null;
  return (
    <Group gap={6}>
      {moments.map((moment) => (
        <Fragment key={`${moment.start_ms} ${moment.end_ms}`}>
          <MomentButton moment={moment} />
          {transcript && (
            <Suspense>
              <MomentWords {...transcript} moment={moment} />
            </Suspense>
          )}
        </Fragment>
      ))}
    </Group>
  );
}

export function MomentButton({ moment }: { readonly moment: Moment }) {
  const { t } = useTexts();
  const playback = usePlayback();
  const [from, to] = [clock(moment.start_ms), clock(moment.end_ms)];
  const text = from === to ? from : `${from} – ${to}`;
  if (!playback) {
    return (
      <Text span size="sm" c="dimmed" className="tabular">
        {text}
      </Text>
    );
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      radius="xl"
      fw={500}
      className="tabular"
      leftSection={<Icon name="play" size={12} />}
      aria-label={t("playMoment", { moment: text })}
      onClick={() => playback.play(moment)}
    >
      {text}
    </Button>
  );
}
