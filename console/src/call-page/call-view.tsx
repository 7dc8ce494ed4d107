import { SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { useState } from "react";
import { NotesSection } from "../call-notes/notes-section.tsx";
import type { Player } from "../player/engine/player.ts";
import { useAfterFirstPaint } from "../ui/lazy/use-after-first-paint.ts";
import { Page } from "../ui/page.tsx";
import { CallActions } from "./call-actions.tsx";
import { CallDetails } from "./call-details.tsx";
import styles from "./call-page.module.css";
import { CallReviews } from "./call-reviews.tsx";
import { CallSkeleton } from "./call-skeleton.tsx";
import { CallSummary } from "./call-summary.tsx";
import { CallWarnings } from "./call-warnings.tsx";
import type { KnownCall } from "./known-call.ts";
import { PlayerCard } from "./player-card.tsx";
import { Preparation } from "./preparation.tsx";
import type { Rights } from "./rights.ts";
import { useTexts } from "./texts.ts";
import { TimeParamSync } from "./time-param-sync.tsx";

interface CallViewProps {
  /** Absent while loading. */
  readonly call: KnownCall | undefined;
  readonly campaign: string | undefined;
  readonly startMs: number;
  readonly rights: Rights;
}

export function CallView({ call, campaign, startMs, rights }: CallViewProps) {
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
      {call && painted ? <Contents call={call} startMs={startMs} rights={rights} /> : <CallSkeleton />}
    </Page>
  );
}

interface ContentsProps extends Pick<CallViewProps, "startMs" | "rights"> {
  readonly call: KnownCall;
}

function Contents({ call, startMs, rights }: ContentsProps) {
  const { audio, steps = [] } = call;
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
