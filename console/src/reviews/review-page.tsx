import type { ScorecardDocument } from "@hearback/scoring/document";
import { type DisputeBody, type ReviewDetailBody, ServiceError } from "@hearback/sdk";
import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { FailedPage } from "../ui/feedback/failed-page.tsx";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { AnswerList } from "./answers/answer-list.tsx";
import { ContinueButton } from "./continue-button.tsx";
import { CorrectReview } from "./correct-review.tsx";
import { DecideDispute } from "./disputes/decide-dispute.tsx";
import { DisputeDecided } from "./disputes/dispute-decided.tsx";
import { DisputeStatus } from "./disputes/dispute-status.tsx";
import { OpenDispute } from "./disputes/open-dispute.tsx";
import { TestCase } from "./disputes/test-case.tsx";
import { focusHeading } from "./focus-heading.ts";
import { History } from "./history.tsx";
import { type Names, useNames } from "./people/names.ts";
import { reviewQueries } from "./queries.ts";
import { ReviewActions } from "./review-actions.tsx";
import { ReviewPlayer } from "./review-player.tsx";
import { ReviewSummary } from "./review-summary.tsx";
import classes from "./reviews.module.css";
import { useTexts } from "./texts.ts";
import { Waterfall } from "./waterfall/waterfall.tsx";

export function ReviewPage() {
  const { id = "" } = useParams({ strict: false });
  const { data: review, error, refetch } = useQuery(reviewQueries.one(id));
  if (!review) {
    const isGone = error instanceof ServiceError && [400, 404].includes(error.status);
    if (isGone) return <ReviewGone />;
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  }
  return (
    <Stack gap="xs">
      <BackLink />
      {review.state === "draft" ? <Draft review={review} /> : <SubmittedReview key={id} review={review} />}
    </Stack>
  );
}

function BackLink() {
  const { t } = useTexts();
  const { user } = useSession();
  const { params } = useSearchParams();
  const [to, text] =
    params.from === "disputes"
      ? (["/disputes", "disputes"] as const)
      : (["/reviews", user.role === "agent" ? "myReviews" : "title"] as const);
  return (
    <TextLink to={to} size="sm" w="fit-content">
      <Group gap={6} wrap="nowrap">
        <Icon name="back" size={14} />
        {t(text)}
      </Group>
    </TextLink>
  );
}

function ReviewGone() {
  const { t } = useTexts();
  return (
    <Page title={t("review")}>
      <EmptyState icon="search" title={t("gone")}>
        <Text maw={480}>{t("goneDetail")}</Text>
        <TextLink to="/reviews">{t("toList")}</TextLink>
      </EmptyState>
    </Page>
  );
}

/** A draft is answered on the review screen. Others see only that it exists. */
function Draft({ review }: { readonly review: ReviewDetailBody }) {
  const { t } = useTexts();
  const names = useNames([review.agent_id, review.reviewer.id]);
  const isOwn = review.actions.includes("answer");
  return (
    <Page title={t("reviewOf", { agent: names.user(review.agent_id) })} intro={review.scorecard.name}>
      <EmptyState icon="edit" title={t("draft")}>
        <Text maw={480} c="dimmed">
          {isOwn ? t("draftOwn") : t("draftOther", { reviewer: names.actor(review.reviewer) })}
        </Text>
        {isOwn && <ContinueButton draft={review} mt="sm" />}
      </EmptyState>
    </Page>
  );
}

function SubmittedReview({ review }: { readonly review: ReviewDetailBody }) {
  const { t } = useTexts();
  const version = useQuery(reviewQueries.version(review.scorecard.id, review.scorecard.version));
  const disputes = useQuery({ ...reviewQueries.disputesOf(review.id), enabled: review.dispute !== null });
  const [correcting, setCorrecting] = useState(false);
  const names = useNames([
    ...[review.agent_id, review.reviewer.id, review.voided?.by.id ?? null],
    ...review.revisions.map(({ author }) => author.id),
    ...(disputes.data ?? []).flatMap(({ arbiter_id, resolved_by }) => [arbiter_id, resolved_by?.id ?? null]),
  ]);
  const failed = [version, disputes].find(({ error }) => error);
  const document = version.data?.document;
  const { user } = useSession();
  const isAgent = user.role === "agent";
  const { name } = review.scorecard;
  const isLoaded = document && (review.dispute === null || disputes.data);
  const leave = () => {
    setCorrecting(false);
    focusHeading();
  };
  return (
    <Page
      title={isAgent ? t("reviewWith", { scorecard: name }) : t("reviewOf", { agent: names.user(review.agent_id) })}
      intro={isAgent ? t("reviewOfYou") : name}
      actions={!correcting && <ReviewActions review={review} onCorrect={() => setCorrecting(true)} />}
    >
      <VoidedNote review={review} names={names} />
      <ReviewSummary review={review} document={document} names={names} />
      {failed && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      {!isLoaded ? (
        !failed && <PageLoading />
      ) : (
        <ReviewPlayer callId={review.call_id}>
          {correcting ? (
            <CorrectReview review={review} document={document} onClose={leave} />
          ) : (
            <Contents review={review} document={document} disputes={disputes.data ?? []} names={names} />
          )}
        </ReviewPlayer>
      )}
    </Page>
  );
}

interface ContentsProps {
  readonly review: ReviewDetailBody;
  readonly document: ScorecardDocument;
  readonly disputes: readonly DisputeBody[];
  readonly names: Names;
}

function Contents({ review, document, disputes, names }: ContentsProps) {
  const { t } = useTexts();
  const { user } = useSession();
  const open = disputes.find(({ state }) => state === "open");
  // The second level decides over the first.
  const decided = disputes.findLast(({ items }) => items.every(({ decision }) => decision !== null));
  const manages = user.role === "supervisor" || user.role === "admin";
  const earlier = disputes.flatMap(({ resolved_by }) => resolved_by?.id ?? []);
  const shared = { review, document, disputes, names };
  const answers =
    open && review.actions.includes("resolve") ? (
      <DecideDispute key={open.id} dispute={open} {...shared} />
    ) : review.actions.includes("dispute") ? (
      <OpenDispute {...shared} />
    ) : (
      <AnswerList {...shared} />
    );
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        {open && <DisputeStatus dispute={open} document={document} earlier={earlier} names={names} />}
        {decided && !open && <DisputeDecided {...shared} dispute={decided} />}
        {decided && manages && <TestCase dispute={decided} document={document} />}
        {review.comment && (
          <Section title={t("comment")} small>
            <Text className="breakable" style={{ whiteSpace: "pre-wrap" }}>
              {review.comment}
            </Text>
          </Section>
        )}
        <section aria-label={t("answers")} className={classes.answers}>
          {answers}
        </section>
      </div>
      <div className={classes.side}>
        {review.result && (
          <Section title={t("waterfall")} small>
            <Waterfall document={document} result={review.result} />
          </Section>
        )}
        <div className={classes.past}>
          <Section title={t("history")} small>
            <History review={review} document={document} names={names} />
          </Section>
        </div>
      </div>
    </div>
  );
}

function VoidedNote({ review, names }: { readonly review: ReviewDetailBody; readonly names: Names }) {
  const { t } = useTexts();
  const { user } = useSession();
  if (!review.voided) return null;
  const { by, reason } = review.voided;
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t("voided")}>
      {user.role === "agent" ? reason : t("voidedBy", { name: names.actor(by), reason })}
    </Alert>
  );
}
