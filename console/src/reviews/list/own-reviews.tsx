import type { ReviewBody } from "@hearback/sdk";
import { Button, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { StatusBadge } from "../../ui/feedback/status-badge.tsx";
import { Icon } from "../../ui/icon.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Score } from "../../ui/score.tsx";
import type { Column } from "../../ui/table/data-table.tsx";
import { PagedTable } from "../../ui/table/paged-table.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { daysLeft } from "../days-left.ts";
import { reviewQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { isFiltered, noFilters, readReviewSearch, toReviewFilter } from "./filter.ts";
import { ReviewLink, ScorecardName } from "./review-columns.tsx";

/** The reviews of an agent's own calls. */
export function OwnReviews() {
  const { t } = useTexts();
  const { params, change } = useSearchParams();
  const { zone } = useFormat();
  // Links from "My scores" set filters.
  const { state, calledFrom, calledTo, question, scorecard, selection } = readReviewSearch(params);
  const search = { view: "all", state, calledFrom, calledTo, question, scorecard, selection } as const;
  const list = useInfiniteQuery(reviewQueries.list(toReviewFilter(search, zone)));
  const columns: readonly [Column<ReviewBody>, ...Column<ReviewBody>[]] = [
    { key: "call", title: t("call"), width: 190, cell: (review) => <ReviewLink review={review} /> },
    { key: "scorecard", title: t("scorecard"), cell: ({ scorecard }) => <ScorecardName scorecard={scorecard} /> },
    { key: "selection", title: t("selection"), width: 150, cell: ({ selection }) => t(`selection_${selection}`) },
    {
      key: "score",
      title: t("score"),
      width: 140,
      cell: ({ score, outcome }) => <Score score={score} outcome={outcome} />,
    },
    {
      key: "released",
      title: t("released"),
      cell: ({ released_at }) => released_at && <Timestamp at={released_at} day />,
    },
    { key: "state", title: t("state"), cell: (review) => <Acknowledgement review={review} /> },
    { key: "left", title: t("objection"), cell: (review) => <TimeToObject review={review} /> },
  ];
  return (
    <Page
      title={t("myReviews")}
      intro={t("introMine")}
      actions={
        <LinkButton to="/how-i-am-reviewed" variant="default" leftSection={<Icon name="draw" size={16} />}>
          {t("howReviewed")}
        </LinkButton>
      }
    >
      {isFiltered(search) && (
        <Group gap="sm">
          <Text size="sm">{t("filteredMine")}</Text>
          <Button size="compact-sm" variant="subtle" onClick={() => change(noFilters)}>
            {t("clearFilters")}
          </Button>
        </Group>
      )}
      <PagedTable
        label={t("myReviews")}
        list={list}
        rows={list.data?.pages.flatMap(({ reviews }) => reviews)}
        rowKey={({ id }) => id}
        columns={columns}
        empty={
          <EmptyState icon="review" title={t("noneMine")}>
            <Text c="dimmed" maw={480}>
              {t("noneMineDetail")}
            </Text>
          </EmptyState>
        }
      />
    </Page>
  );
}

function Acknowledgement({ review: { state, acknowledged_at } }: { readonly review: ReviewBody }) {
  const { t } = useTexts();
  if (state === "voided") return <StatusBadge color="gray">{t("state_voided")}</StatusBadge>;
  return acknowledged_at ? (
    <StatusBadge color="green">{t("acknowledged")}</StatusBadge>
  ) : (
    <StatusBadge color="orange">{t("toAcknowledge")}</StatusBadge>
  );
}

function TimeToObject({ review }: { readonly review: ReviewBody }) {
  const { t } = useTexts();
  const { state, dispute, disputable_until } = review;
  if (state === "voided") return "–";
  if (dispute === "open") return t("objectionOpen");
  if (dispute === "resolved") return t("objectionResolved");
  const count = disputable_until ? daysLeft(disputable_until) : 0;
  return count > 0 ? (
    t("daysLeft", { count })
  ) : (
    <Text span inherit c="dimmed">
      {t("timeOver")}
    </Text>
  );
}
