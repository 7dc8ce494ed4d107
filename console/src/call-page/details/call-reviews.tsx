import type { ReviewBody } from "@hearback/sdk";
import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../access/queries.ts";
import { useUserName } from "../../access/use-user-name.ts";
import { isNeverReleased } from "../../reviews/never-released.ts";
import { Problem } from "../../ui/feedback/problem.tsx";
import { Score } from "../../ui/score.tsx";
import { Section } from "../../ui/section.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import styles from "../call-page.module.css";
import { draftSearch } from "../draft-search.ts";
import { callPageQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";

/** Reviews of the call that the user may see. */
export function CallReviews({ callId }: { readonly callId: string }) {
  const { t } = useTexts();
  const { user } = useSession();
  const { data: reviews, error, refetch } = useQuery(callPageQueries.reviews(callId));
  return (
    <Section small title={t("reviews")}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!reviews && !error && <LoadingRows rows={1} height={20} />}
      {reviews?.length === 0 && (
        <Text c="dimmed" size="sm">
          {t(user.role === "reviewer" ? "noReviewsForReviewer" : "noReviews")}
        </Text>
      )}
      {reviews && reviews.length > 0 && (
        <ul className={styles.reviews}>
          {reviews.map((review) => (
            <ReviewRow key={review.id} review={review} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function ReviewRow({ review }: { readonly review: ReviewBody }) {
  const { t } = useTexts();
  const { user } = useSession();
  const { reviewer, scorecard, state, submitted_at, created_at } = review;
  const name = useUserName(reviewer.type === "user" ? reviewer.id : null);
  const isDraft = state === "draft";
  const isMine = reviewer.id === user.id;
  const by = isDraft && isMine ? t("yourDraft") : reviewer.type === "key" ? t("apiKey") : name;
  const link = { "aria-label": t("openReview", { scorecard: scorecard.name }) };
  return (
    <li>
      <div className={styles.reviewText}>
        {isDraft && !isMine ? (
          <Text span size="sm">
            {scorecard.name}
          </Text>
        ) : isDraft ? (
          <TextLink
            size="sm"
            to="/calls/$id/review"
            params={{ id: review.call_id }}
            search={(before: object) => ({ ...before, ...draftSearch(review) })}
            {...link}
          >
            {scorecard.name}
          </TextLink>
        ) : (
          <TextLink size="sm" to="/reviews/$id" params={{ id: review.id }} {...link}>
            {scorecard.name}
          </TextLink>
        )}
        <Text size="xs" c="dimmed">
          {by && `${by} · `}
          <Timestamp at={submitted_at ?? created_at} />
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap" fz="sm">
        {state !== "released" && (
          <Text span size="xs" c="dimmed" className="nowrap">
            {state === "submitted" && isNeverReleased(review.selection)
              ? t("reviewSubmitted")
              : t(`reviewState_${state}`)}
          </Text>
        )}
        {!isDraft && <Score score={review.score} outcome={review.outcome} />}
      </Group>
    </li>
  );
}
