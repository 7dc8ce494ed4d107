import { Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import { calibrationLink } from "../calibrations/calibration-link.ts";
import { findNextCall } from "../calibrations/find-next-call.ts";
import { calibrationQueries } from "../calibrations/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { PaneSkeleton, SelectedScorecard } from "./next-call/selected-scorecard.tsx";
import styles from "./review.module.css";
import type { ReviewPaneProps } from "./review-pane-props.ts";
import { useTexts } from "./texts.ts";

interface SessionPaneProps extends ReviewPaneProps {
  readonly calibrationId: string;
}

/** The form of a review for a calibration session, on its version of the scorecard. */
export function SessionPane({ calibrationId, ...props }: SessionPaneProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const { data: session, error, refetch } = useQuery({ ...calibrationQueries.one(calibrationId), staleTime: 0 });
  // A form that is open stays open: the review is submitted in the background, and the session changes.
  const [isOpened, setOpened] = useState(false);
  if (!session) {
    return (
      <div className={styles.pane}>
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <PaneSkeleton />}
      </div>
    );
  }
  const call = session.call_list.find(({ call_id }) => call_id === props.call.id);
  const isParticipant = session.progress.some(({ user_id }) => user_id === user.id);
  const review = call?.review;
  const isScored = review != null && review.state !== "draft";
  const next = findNextCall(session, props.call.id);
  const problem = !isParticipant
    ? t("notParticipant")
    : session.state === "closed"
      ? t("sessionClosed")
      : !call
        ? t("notInSession")
        : undefined;
  if (!isOpened && (problem || isScored)) {
    return (
      <div className={styles.pane}>
        <Paper withBorder>
          <EmptyState icon={problem ? "info" : "check"} title={problem ? t("notPossible") : t("scoredAlready")}>
            <Text maw={440}>{problem ?? t("scoredAlreadyDetail")}</Text>
            {!problem && next && (
              <LinkButton mt="sm" {...calibrationLink(session, next.call_id)}>
                {t("nextInSession")}
              </LinkButton>
            )}
          </EmptyState>
        </Paper>
      </div>
    );
  }
  if (!isOpened) setOpened(true);
  const { scorecard } = session;
  const selected = { ...scorecard, ...(review && { draftId: review.id }) };
  return (
    <div className={styles.pane}>
      <Title order={2} size="h4" className="breakable">
        {scorecard.name}
      </Title>
      <SelectedScorecard {...props} selected={selected} />
    </div>
  );
}
