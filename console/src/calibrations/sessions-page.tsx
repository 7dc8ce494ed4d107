import type { CalibrationBody } from "@hearback/sdk";
import { SegmentedControl, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSession } from "../access/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { NotAllowed } from "../ui/feedback/not-allowed.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Page } from "../ui/page.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { DueDate } from "./due-date.tsx";
import { calibrationQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { ToScore } from "./to-score.tsx";

type State = CalibrationBody["state"];

/** Calibration sessions: all for supervisors, their own for reviewers. */
export function SessionsPage() {
  const { t } = useTexts();
  const { user } = useSession();
  const { choice, change } = useSearchParams();
  const state = choice("show", ["closed"]) ?? "open";
  if (user.role === "agent") return <NotAllowed />;
  const manages = user.role !== "reviewer";
  return (
    <Page
      title={t("title")}
      intro={t(manages ? "intro" : "introReviewer")}
      actions={
        manages && (
          <>
            <LinkButton to="/calibrations/agreement" variant="default" leftSection={<Icon name="chart" size={16} />}>
              {t("agreement")}
            </LinkButton>
            <LinkButton to="/calibrations/new" leftSection={<Icon name="plus" />}>
              {t("createSession")}
            </LinkButton>
          </>
        )
      }
    >
      <ToScore />
      <SegmentedControl
        aria-label={t("show")}
        style={{ alignSelf: "flex-start" }}
        value={state}
        onChange={(value) => change({ show: value === "closed" ? value : undefined })}
        data={(["open", "closed"] as const).map((value) => ({ value, label: t(`show_${value}`) }))}
      />
      <SessionTable state={state} manages={manages} />
    </Page>
  );
}

function SessionTable({ state, manages }: { readonly state: State; readonly manages: boolean }) {
  const { t } = useTexts();
  const list = useInfiniteQuery(calibrationQueries.list(state));
  const columns: readonly [Column<CalibrationBody>, ...Column<CalibrationBody>[]] = [
    {
      key: "name",
      title: t("name"),
      cell: ({ id, name }) => (
        <TextLink to="/calibrations/$id" params={{ id }} fw={600} className="breakable">
          {name}
        </TextLink>
      ),
    },
    {
      key: "scorecard",
      title: t("scorecard"),
      cell: ({ scorecard }) => <span className="breakable">{scorecard.name}</span>,
    },
    { key: "calls", title: t("calls"), align: "right", cell: ({ calls }) => calls },
    { key: "participants", title: t("participants"), align: "right", cell: ({ participants }) => participants },
    {
      key: "submitted",
      title: t("submitted"),
      align: "right",
      cell: ({ submitted, calls, participants }) => (
        <span className="tabular nowrap">{t("of", { done: submitted, total: calls * participants })}</span>
      ),
    },
    state === "open"
      ? { key: "due", title: t("due"), cell: ({ due_at }) => <DueDate at={due_at} isOpen /> }
      : { key: "closed", title: t("closedAt"), cell: ({ closed_at }) => closed_at && <Timestamp at={closed_at} day /> },
  ];
  return (
    <PagedTable
      label={t("title")}
      list={list}
      rows={list.data?.pages.flatMap(({ calibrations }) => calibrations)}
      rowKey={({ id }) => id}
      columns={columns}
      empty={
        <EmptyState icon="calibration" title={t(`none_${state}`)}>
          <Text maw={520} c="dimmed">
            {t(manages ? "noneDetail" : "noneReviewer")}
          </Text>
          {manages && state === "open" && (
            <LinkButton to="/calibrations/new" mt="sm" leftSection={<Icon name="plus" />}>
              {t("createSession")}
            </LinkButton>
          )}
        </EmptyState>
      }
    />
  );
}
