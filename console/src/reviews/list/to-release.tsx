import type { ReviewBody } from "@hearback/sdk";
import { Button, Checkbox, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Column } from "../../ui/table/data-table.tsx";
import { PagedTable } from "../../ui/table/paged-table.tsx";
import { useNames } from "../people/names.ts";
import { reviewQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { ReleaseSelected } from "./release-selected.tsx";
import { ReviewLink, useReviewColumns } from "./review-columns.tsx";

/** The API releases up to 200 reviews at once. */
const maxSelected = 200;

/** Submitted reviews, with a selection to release. */
export function ToRelease() {
  const { t } = useTexts();
  const list = useInfiniteQuery(reviewQueries.list({ state: "submitted" }));
  const reviews = list.data?.pages.flatMap((page) => page.reviews) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Kept while the dialog is open: the list changes during the release.
  const [releasing, setReleasing] = useState<readonly string[]>();
  const selected = reviews.map(({ id }) => id).filter((id) => chosen.has(id));
  const toggle = (id: string) =>
    setChosen(new Set(chosen.has(id) ? selected.filter((one) => one !== id) : [...selected, id]));
  const selectable = reviews.slice(0, maxSelected);
  const isAll = selected.length > 0 && selected.length === selectable.length;
  const close = () => {
    setReleasing(undefined);
    setChosen(new Set());
  };
  const columns = useSelectColumns(reviews, { chosen, isFull: selected.length >= maxSelected, toggle });
  return (
    <>
      {reviews.length > 0 && (
        <Group justify="space-between" gap="sm">
          <Checkbox
            label={t("selectAll", { count: selectable.length })}
            checked={isAll}
            indeterminate={selected.length > 0 && !isAll}
            onChange={() => setChosen(new Set(isAll ? [] : selectable.map(({ id }) => id)))}
          />
          <Group gap="sm">
            <Text size="sm" c="dimmed" role="status">
              {selected.length > 0 && t("selected", { count: selected.length })}
            </Text>
            <Button
              leftSection={<Icon name="check" />}
              disabled={selected.length === 0}
              onClick={() => setReleasing(selected)}
            >
              {t("releaseSelected")}
            </Button>
          </Group>
        </Group>
      )}
      <PagedTable
        label={t("toRelease")}
        list={list}
        rows={list.data && reviews}
        rowKey={({ id }) => id}
        columns={columns}
        empty={
          <EmptyState icon="check" title={t("noneToRelease")}>
            <Text c="dimmed" maw={480}>
              {t("noneToReleaseDetail")}
            </Text>
          </EmptyState>
        }
      />
      <Dialog opened={releasing !== undefined} title={t("releaseTitle")} onClose={close}>
        {releasing && <ReleaseSelected ids={releasing} onClose={close} />}
      </Dialog>
    </>
  );
}

interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly isFull: boolean;
  readonly toggle: (id: string) => void;
}

function useSelectColumns(reviews: readonly ReviewBody[], { chosen, isFull, toggle }: Selection) {
  const { t } = useTexts();
  const names = useNames(reviews.flatMap(({ agent_id, reviewer }) => [agent_id, reviewer.id]));
  const [call, ...others] = useReviewColumns(names);
  const columns: readonly [Column<ReviewBody>, ...Column<ReviewBody>[]] = [
    {
      ...call,
      width: 220,
      cell: (review) => (
        <Group gap="sm" wrap="nowrap">
          <Checkbox
            aria-label={t("select", { agent: names.user(review.agent_id), scorecard: review.scorecard.name })}
            checked={chosen.has(review.id)}
            disabled={isFull && !chosen.has(review.id)}
            onChange={() => toggle(review.id)}
          />
          <ReviewLink review={review} />
        </Group>
      ),
    },
    // All of them are submitted.
    ...others.filter(({ key }) => key !== "state"),
  ];
  return columns;
}
