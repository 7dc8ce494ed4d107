import type { ScorecardDocument } from "@hearback/scoring/document";
import { passingScore } from "@hearback/scoring/passing-score";
import type { ReviewDetailBody } from "@hearback/sdk";
import { Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSession } from "../access/queries.ts";
import { playerQueries } from "../player/queries.ts";
import { Score, useScoreText } from "../ui/score.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { daysLeft } from "./days-left.ts";
import type { Names } from "./people/names.ts";
import classes from "./reviews.module.css";
import { StateBadge } from "./state-badge.tsx";
import { useTexts } from "./texts.ts";

interface ReviewSummaryProps {
  readonly review: ReviewDetailBody;
  /** Absent while it is loaded. */
  readonly document: ScorecardDocument | undefined;
  readonly names: Names;
}

/** Score and the facts of a review. */
export function ReviewSummary({ review, document, names }: ReviewSummaryProps) {
  const { t } = useTexts();
  const scoreText = useScoreText();
  const { user } = useSession();
  const isAgent = user.role === "agent";
  const { score, outcome, result, scorecard, reviewer, submitted_at, released_at, acknowledged_at } = review;
  const before = result?.score_before_fail;
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} className={classes.summary}>
      <div className={classes.total}>
        <div className={classes.number}>
          <Score score={score} outcome={outcome} />
        </div>
        <Text size="sm" c="dimmed" className="tabular">
          {document ? t("passingScore", { score: scoreText(passingScore(document)) }) : "…"}
        </Text>
        {result !== null && result.lost_by_fail > 0 && before != null && (
          <Text size="sm" c="dimmed">
            {t("beforeFail", { score: scoreText(before) })}
          </Text>
        )}
      </div>
      <dl className={classes.facts}>
        {!isAgent && <Fact title={t("agent")}>{names.user(review.agent_id)}</Fact>}
        {!isAgent && <Fact title={t("reviewer")}>{names.actor(reviewer)}</Fact>}
        <Fact title={t("call")}>
          <CallLink callId={review.call_id} />
        </Fact>
        <Fact title={t("scorecard")}>{t("versionOf", { name: scorecard.name, version: scorecard.version })}</Fact>
        <Fact title={t("state")}>
          <StateBadge state={review.state} selection={review.selection} />
        </Fact>
        {review.calibration_id ? (
          <Fact title={t("calibration")}>
            <TextLink to="/calibrations/$id" params={{ id: review.calibration_id }}>
              {t("doesNotCount")}
            </TextLink>
          </Fact>
        ) : (
          <Fact title={t("selection")}>{t(`selection_${review.selection}`)}</Fact>
        )}
        {submitted_at && !isAgent && (
          <Fact title={t("submitted")}>
            <Timestamp at={submitted_at} />
          </Fact>
        )}
        {released_at && (
          <Fact title={t("released")}>
            <Timestamp at={released_at} />
          </Fact>
        )}
        {acknowledged_at && (
          <Fact title={t("acknowledged")}>
            <Timestamp at={acknowledged_at} />
            {review.acknowledgement && (
              <Text size="sm" c="dimmed" className="breakable">
                {t("quote", { text: review.acknowledgement })}
              </Text>
            )}
          </Fact>
        )}
        <TimeToObject review={review} />
      </dl>
    </Paper>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CallLink({ callId }: { readonly callId: string }) {
  const { t } = useTexts();
  const { data: call, isPending } = useQuery(playerQueries.call(callId));
  if (!call) return isPending ? "…" : t("erased");
  return (
    <TextLink to="/calls/$id" params={{ id: callId }}>
      <Timestamp at={call.conversation_time} />
    </TextLink>
  );
}

function TimeToObject({ review: { actions, state, dispute, disputable_until } }: Pick<ReviewSummaryProps, "review">) {
  const { t } = useTexts();
  const format = useFormat();
  const { user } = useSession();
  if (state !== "released") return null;
  if (dispute === "open")
    return <Fact title={t(user.role === "agent" ? "objection" : "dispute")}>{t("decision_open")}</Fact>;
  if (!actions.includes("dispute") || !disputable_until) return null;
  return (
    <Fact title={t("objectUntil")}>
      {t("objectUntilDate", {
        date: format.date(disputable_until),
        days: t("daysLeft", { count: daysLeft(disputable_until) }),
      })}
    </Fact>
  );
}
