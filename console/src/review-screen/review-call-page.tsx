import { ServiceError } from "@hearback/sdk";
import { Alert, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { useSession } from "../access/queries.ts";
import { calibrationOf } from "../calibrations/calibration-link.ts";
import { CallGone } from "../call-page/call-gone.tsx";
import { CallSummary } from "../call-page/details/call-summary.tsx";
import { PlayerCard } from "../call-page/player-card.tsx";
import { rightsOf } from "../call-page/rights.ts";
import { callQueries } from "../calls/queries.ts";
import type { Player } from "../player/engine/player.ts";
import { playerQueries } from "../player/queries.ts";
import { parseTimeParam } from "../player/time-param.ts";
import type { Mark } from "../player/waveform/overview.tsx";
import { isFromQueue } from "../queue/queue-link.ts";
import type { SearchParams } from "../search-params.ts";
import type { EvidenceTarget } from "../transcript/evidence.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { NotAllowed } from "../ui/feedback/not-allowed.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { useAfterFirstPaint } from "../ui/lazy/use-after-first-paint.ts";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { afterReview } from "./next-call/after-review.ts";
import styles from "./review.module.css";
import { ReviewPane } from "./review-pane.tsx";
import type { PlayableCall } from "./review-pane-props.ts";
import { useTexts } from "./texts.ts";

// Not needed for the first paint.
const CallContext = lazyComponent(async () => (await import("./call-context.tsx")).CallContext);
const TranscriptSection = lazyComponent(
  async () => (await import("../transcript/transcript-section.tsx")).TranscriptSection,
);
const QueueActions = lazyComponent(async () => (await import("../queue/queue-actions.tsx")).QueueActions);

/** The screen where a call is reviewed. The other search parameters are the filters of the list of calls. */
export function ReviewCallPage() {
  const { id } = useParams({ from: "/inside/calls/$id/review" });
  const { t: time, scorecard, ...list } = useSearch({ from: "/inside/calls/$id/review" });
  const { user } = useSession();
  const chosen = typeof scorecard === "string" ? scorecard : undefined;
  if (user.role === "agent") return <NotAllowed />;
  // Remount for each call.
  return <OneCall key={id} id={id} chosen={chosen} startMs={parseTimeParam(time) ?? 0} list={list} />;
}

interface OneCallProps {
  readonly id: string;
  /** Scorecard in the URL. */
  readonly chosen: string | undefined;
  readonly startMs: number;
  readonly list: SearchParams;
}

function OneCall({ id, chosen, startMs, list }: OneCallProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const call = useQuery(playerQueries.call(id));
  const campaigns = useQuery(callQueries.campaigns);
  const isGone = call.error instanceof ServiceError && [400, 404].includes(call.error.status);
  if (isGone) return <CallGone />;
  const { data } = call;
  const name = data && (data.agent.name || data.agent.email);
  const isSession = calibrationOf(list) !== undefined;
  const isQueue = !isSession && isFromQueue(list);
  return (
    <Stack gap="xs">
      <TextLink
        {...(afterReview(list) ?? { to: "/calls/$id", params: { id }, search: list })}
        size="sm"
        w="fit-content"
      >
        <Group gap={6} wrap="nowrap">
          <Icon name="back" size={14} />
          {t(isSession ? "backToSession" : isQueue ? "backToQueue" : "backToCall")}
        </Group>
      </TextLink>
      <Page
        title={name ? t("titleOf", { name }) : t("title")}
        actions={
          isQueue && (
            <Suspense>
              <QueueActions callId={id} scorecardId={chosen} />
            </Suspense>
          )
        }
        intro={
          data ? (
            <CallSummary call={data} campaign={campaigns.data?.get(data.campaign_id) ?? data.campaign_id} />
          ) : (
            !call.error && <Skeleton component="span" display="block" height={25} width={320} maw="100%" />
          )
        }
      >
        {isSession && (
          <Alert variant="light" icon={<Icon name="calibration" />} title={t("calibration")}>
            {t("calibrationDetail")}
          </Alert>
        )}
        {call.error && !data && <Problem error={call.error} onRetry={() => void call.refetch()} />}
        {!data ? (
          !call.error && <Skeleton height={480} />
        ) : data.agent.id === user.id ? (
          <NotPossible title={t("ownCall")} id={id} list={list}>
            {t("ownCallDetail")}
          </NotPossible>
        ) : data.audio ? (
          <Screen call={{ ...data, audio: data.audio }} chosen={chosen} startMs={startMs} list={list} />
        ) : (
          <NotPossible title={t("notReady")} id={id} list={list}>
            {t("notReadyDetail")}
          </NotPossible>
        )}
      </Page>
    </Stack>
  );
}

interface NotPossibleProps extends Pick<OneCallProps, "id" | "list"> {
  readonly title: string;
  readonly children: ReactNode;
}

function NotPossible({ title, id, list, children }: NotPossibleProps) {
  const { t } = useTexts();
  return (
    <EmptyState icon="info" title={title}>
      <Text maw={480}>{children}</Text>
      <TextLink to="/calls/$id" params={{ id }} search={list}>
        {t("toCall")}
      </TextLink>
    </EmptyState>
  );
}

interface ScreenProps extends Omit<OneCallProps, "id"> {
  readonly call: PlayableCall;
}

/** Player on the left, form on the right. The player is outside the form, so that it plays on whatever the form does. */
function Screen({ call, chosen, startMs, list }: ScreenProps) {
  const session = useSession();
  const rights = rightsOf(session);
  const [player, setPlayer] = useState<Player>();
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const [evidence, setEvidence] = useState<EvidenceTarget>();
  // The player and the form are shown first.
  const isPainted = useAfterFirstPaint();
  return (
    <div className={styles.screen}>
      <div className={styles.left}>
        <div className={styles.player}>
          <PlayerCard call={call} startMs={startMs} rights={rights} compact marks={marks} onPlayer={setPlayer} />
        </div>
        {isPainted && (
          <Suspense>
            <div className={styles.details}>
              <TranscriptSection
                call={call}
                player={player}
                compact
                mayCorrect={rights.correctWords}
                mayRequest={rights.correct}
                said={typeof list.said === "string" ? list.said : undefined}
                evidence={evidence}
              />
            </div>
            <CallContext call={call} rights={rights} player={player} />
          </Suspense>
        )}
      </div>
      <ReviewPane call={call} chosen={chosen} list={list} player={player} onMarks={setMarks} onEvidence={setEvidence} />
    </div>
  );
}
