import type { ReviewBody, ScorecardBody } from "@hearback/sdk";
import { Paper, Skeleton, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { useSession } from "../access/queries.ts";
import { calibrationOf } from "../calibrations/calibration-link.ts";
import { callPageQueries } from "../call-page/queries.ts";
import { isFromQueue } from "../queue/queue-link.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { type Choice, chooseScorecard } from "./next-call/choose-scorecard.ts";
import { readLastScorecard, writeLastScorecard } from "./next-call/last-scorecard.ts";
import { PaneSkeleton, SelectedScorecard } from "./next-call/selected-scorecard.tsx";
import { reviewScreenQueries } from "./queries.ts";
import styles from "./review.module.css";
import type { ReviewPaneProps } from "./review-pane-props.ts";
import { useTexts } from "./texts.ts";

/** Not needed for campaigns with one scorecard. */
const ScorecardChoice = lazyComponent(async () => (await import("./next-call/scorecard-choice.tsx")).ScorecardChoice);

const SessionPane = lazyComponent(async () => (await import("./session-pane.tsx")).SessionPane);

/** The form of a review, or the choice of a scorecard. */
export function ReviewPane(props: ReviewPaneProps) {
  const calibrationId = calibrationOf(props.list);
  if (!calibrationId) return <ListPane {...props} />;
  return (
    <Suspense fallback={<PaneSkeleton />}>
      <SessionPane {...props} calibrationId={calibrationId} />
    </Suspense>
  );
}

function ListPane(props: ReviewPaneProps) {
  const { call, chosen, list } = props;
  const { user, can_pick_calls } = useSession();
  const scorecards = useQuery(reviewScreenQueries.scorecards(call.campaign_id));
  const reviews = useQuery(callPageQueries.reviews(call.id));
  const navigate = useNavigate({ from: "/calls/$id/review" });
  const choose = (id: string) => {
    writeLastScorecard(user.id, id);
    void navigate({ search: (before) => ({ ...before, scorecard: id }), replace: true, resetScroll: false });
  };
  if (!scorecards.data || !reviews.data) {
    const failed = scorecards.error ? scorecards : reviews;
    return (
      <div className={styles.pane}>
        {failed.error ? <Problem error={failed.error} onRetry={() => void failed.refetch()} /> : <PaneSkeleton />}
      </div>
    );
  }
  // Drafts of calibration sessions are opened from there.
  const mine = reviews.data.filter(({ reviewer, calibration_id }) => reviewer.id === user.id && !calibration_id);
  // A call of the queue is reviewed on the scorecard of its plan.
  const isQueue = chosen !== undefined && isFromQueue(list);
  const isPossible = (id: string) => !isQueue || id === chosen;
  const drafts = mine.filter(({ state, scorecard }) => state === "draft" && isPossible(scorecard.id));
  const possible = isQueue || can_pick_calls ? scorecards.data.filter(({ id }) => isPossible(id)) : [];
  const choices = choicesOf(possible, drafts);
  const selected = chooseScorecard(choices, { chosen, last: readLastScorecard(user.id) });
  return (
    <div className={styles.pane}>
      {choices.length === 0 ? (
        can_pick_calls || isQueue ? (
          <NoScorecard campaign={call.campaign_id} />
        ) : (
          <PickingOff />
        )
      ) : (
        (choices.length > 1 || !selected) && (
          <Suspense fallback={<Skeleton height={selected ? 61 : 160} />}>
            <ScorecardChoice {...{ choices, selected, choose }} />
          </Suspense>
        )
      )}
      {selected && (
        <>
          {choices.length === 1 && (
            <Title order={2} size="h4" className="breakable">
              {selected.name}
            </Title>
          )}
          <Reviewed reviews={mine} scorecardId={selected.id} />
          <SelectedScorecard key={selected.id} {...props} selected={selected} />
        </>
      )}
    </div>
  );
}

/** Scorecards for the campaign, and those of drafts, which may be retired since. */
function choicesOf(scorecards: readonly ScorecardBody[], drafts: readonly ReviewBody[]): Choice[] {
  const withDraft = drafts.map(({ id, scorecard }) => ({ ...scorecard, draftId: id }));
  const others = scorecards.filter(({ id }) => !withDraft.some((each) => each.id === id));
  return [...withDraft, ...others.map(({ id, name, latest_version }) => ({ id, name, version: latest_version ?? 1 }))];
}

function NoScorecard({ campaign }: { readonly campaign: string }) {
  const { t } = useTexts();
  const { user } = useSession();
  return (
    <Paper withBorder>
      <EmptyState icon="scorecard" title={t("noScorecard")}>
        <Text maw={440}>{t(user.role === "reviewer" ? "noScorecardAsk" : "noScorecardDetail", { campaign })}</Text>
      </EmptyState>
    </Paper>
  );
}

function PickingOff() {
  const { t } = useTexts();
  return (
    <Paper withBorder>
      <EmptyState icon="info" title={t("pickingOff")}>
        <Text maw={440}>{t("pickingOffDetail")}</Text>
      </EmptyState>
    </Paper>
  );
}

interface ReviewedProps {
  readonly reviews: readonly ReviewBody[];
  readonly scorecardId: string;
}

/** Says that the user has reviewed the call already. A second review is possible. */
function Reviewed({ reviews, scorecardId }: ReviewedProps) {
  const { t } = useTexts();
  const before = reviews.find(
    ({ scorecard, state }) => scorecard.id === scorecardId && (state === "submitted" || state === "released"),
  );
  if (!before) return null;
  return (
    <Text size="sm" c="dimmed">
      {t("reviewedAlready")}{" "}
      <TextLink to="/reviews/$id" params={{ id: before.id }}>
        {t("reviewedOpen")}
      </TextLink>
    </Text>
  );
}
