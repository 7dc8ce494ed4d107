import type { ReviewBody } from "@hearback/sdk";
import { Stack, Text } from "@mantine/core";
import { Score } from "../../ui/score.tsx";
import type { Column } from "../../ui/table/data-table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { callTime } from "../call-time.ts";
import type { Names } from "../people/names.ts";
import { StateBadge } from "../state-badge.tsx";
import { useTexts } from "../texts.ts";

type Columns = readonly [Column<ReviewBody>, ...Column<ReviewBody>[]];

/** Columns of a list of reviews. */
export function useReviewColumns(names: Names): Columns {
  const { t } = useTexts();
  return [
    { key: "call", title: t("call"), cell: (review) => <ReviewLink review={review} />, width: 180 },
    {
      key: "agent",
      title: t("agent"),
      cell: ({ agent_id }) => <span className="breakable">{names.user(agent_id)}</span>,
    },
    { key: "scorecard", title: t("scorecard"), cell: ({ scorecard }) => <ScorecardName scorecard={scorecard} /> },
    {
      key: "submitted",
      title: t("submitted"),
      cell: ({ submitted_at }) => (submitted_at ? <Timestamp at={submitted_at} day /> : "–"),
    },
    { key: "score", title: t("score"), cell: ({ score, outcome }) => <Score score={score} outcome={outcome} /> },
    {
      key: "reviewer",
      title: t("reviewer"),
      cell: ({ reviewer }) => <span className="breakable">{names.actor(reviewer)}</span>,
    },
    { key: "state", title: t("state"), cell: (review) => <ReviewState review={review} /> },
  ];
}

/** A review is known by the time of its call. */
export function ReviewLink({ review }: { readonly review: ReviewBody }) {
  return (
    <TextLink to="/reviews/$id" params={{ id: review.id }} inherit fw={600}>
      <Timestamp at={callTime(review.call_id)} />
    </TextLink>
  );
}

export function ScorecardName({ scorecard }: Pick<ReviewBody, "scorecard">) {
  const { t } = useTexts();
  return (
    <span className="breakable">
      {scorecard.name}{" "}
      <Text span size="sm" c="dimmed" className="nowrap">
        {t("version", { version: scorecard.version })}
      </Text>
    </span>
  );
}

/** State, with the dispute or acknowledgement below. */
function ReviewState({ review }: { readonly review: ReviewBody }) {
  const { t } = useTexts();
  const { state, dispute, acknowledged_at } = review;
  const detail =
    state !== "released"
      ? undefined
      : dispute === "open"
        ? t("disputeOpen")
        : dispute === "resolved"
          ? t("disputeResolved")
          : acknowledged_at && t("acknowledged");
  return (
    <Stack gap={0}>
      <StateBadge state={state} selection={review.selection} />
      {detail && (
        <Text size="xs" c="dimmed" pl={17}>
          {detail}
        </Text>
      )}
    </Stack>
  );
}
