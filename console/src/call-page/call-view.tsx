import { SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { Suspense, useState } from "react";
import { NotesSection } from "../call-notes/notes-section.tsx";
import type { Player } from "../player/engine/player.ts";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { useAfterFirstPaint } from "../ui/lazy/use-after-first-paint.ts";
import { Page } from "../ui/page.tsx";
import { CallActions } from "./call-actions.tsx";
import styles from "./call-page.module.css";
import { CallSkeleton } from "./call-skeleton.tsx";
import { CallDetails } from "./details/call-details.tsx";
import { CallReviews } from "./details/call-reviews.tsx";
import { CallSummary } from "./details/call-summary.tsx";
import { CallWarnings } from "./details/call-warnings.tsx";
import type { KnownCall } from "./known-call.ts";
import { PlayerCard } from "./player-card.tsx";
import { Preparation } from "./preparation.tsx";
import type { Rights } from "./rights.ts";
import { useTexts } from "./texts.ts";
import { TimeParamSync } from "./time-param-sync.tsx";

// Not needed for the first paint.
const TranscriptSection = lazyComponent(
  async () => (await import("../transcript/transcript-section.tsx")).TranscriptSection,
);

interface CallViewProps {
  /** Absent while loading. */
  readonly call: KnownCall | undefined;
  readonly campaign: string | undefined;
  readonly startMs: number;
  readonly rights: Rights;
  /** Words that the list of calls was searched for. */
  readonly said: string | undefined;
}

export function CallView({ call, campaign, startMs, rights, said }: CallViewProps) {
  const { t } = useTexts();
  // The heading renders first; the expensive rest follows after the first paint.
  const painted = useAfterFirstPaint();
  // The same page element before and after loading, so the heading keeps the focus.
  return (
    <Page
      title={call ? call.agent.name || call.agent.email : t("title")}
      intro={
        call ? (
          <CallSummary call={call} campaign={campaign ?? call.campaign_id} />
        ) : (
          <Skeleton component="span" display="block" height={25} width={320} maw="100%" />
        )
      }
      actions={call && <CallActions call={call} rights={rights} />}
    >
      {call && painted ? <Contents call={call} startMs={startMs} rights={rights} said={said} /> : <CallSkeleton />}
    </Page>
  );
}

interface ContentsProps extends Pick<CallViewProps, "startMs" | "rights" | "said"> {
  readonly call: KnownCall;
}

function Contents({ call, startMs, rights, said }: ContentsProps) {
  const { audio, steps = [], transcript } = call;
  const [player, setPlayer] = useState<Player>();
  return (
    <Stack gap="md">
      <CallWarnings warnings={call.warnings} />
      {audio ? (
        <PlayerCard call={{ ...call, audio, steps }} startMs={startMs} rights={rights} onPlayer={setPlayer} />
      ) : audio === undefined ? (
        <Skeleton className={styles.place} />
      ) : (
        <Preparation call={call} mayRepeat={rights.correct} />
      )}
      {player && <TimeParamSync player={player} />}
      {audio && transcript !== undefined && (
        <Suspense fallback={transcript && <Skeleton className={styles.transcript} />}>
          <TranscriptSection
            call={{ id: call.id, steps, transcript }}
            player={player}
            mayCorrect={rights.correctWords}
            mayRequest={rights.correct}
            said={said}
          />
        </Suspense>
      )}
      {call.status === "ready" && (
        <SimpleGrid cols={{ base: 1, lg: rights.writeNotes ? 2 : 1 }} spacing="md">
          <CallReviews callId={call.id} />
          {rights.writeNotes && <NotesSection callId={call.id} player={player} />}
        </SimpleGrid>
      )}
      <CallDetails call={call} rights={rights} />
    </Stack>
  );
}
