import type { ImportSummaryBody } from "@hearback/sdk";
import { SegmentedControl, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { ChartSection } from "../charts/chart-section.tsx";
import type { ChartTable } from "../charts/chart-table.ts";
import { dayText } from "../charts/day-text.ts";
import { StackedColumns } from "../charts/stacked-columns.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { useFormat } from "../ui/time/use-format.ts";
import { useSearchParams } from "../ui/use-search-params.ts";
import classes from "./imports.module.css";
import { importQueries } from "./queries.ts";
import { ReasonTable } from "./reason-table.tsx";
import { byReason, type Chart, toChart, toTiles } from "./series.ts";
import { useTexts } from "./texts.ts";
import { Tiles } from "./tiles.tsx";

const periods = ["7", "14", "30"] as const;

export function ImportsPage() {
  const { t } = useTexts();
  const { choice, change } = useSearchParams();
  const days = choice("days", periods) ?? "14";
  const summary = useQuery(importQueries.summary(Number(days)));
  const period = (
    <SegmentedControl
      aria-label={t("period")}
      value={days}
      onChange={(value) => change({ days: value === "14" ? undefined : value })}
      data={periods.map((value) => ({ value, label: t("days", { count: Number(value) }) }))}
    />
  );
  return (
    <Page title={t("title")} intro={t("intro", { zone: summary.data?.time_zone ?? "…" })} actions={period}>
      {summary.isError && <Problem error={summary.error} onRetry={() => void summary.refetch()} />}
      {summary.data ? <Summary summary={summary.data} /> : summary.isPending && <Loading />}
    </Page>
  );
}

function Summary({ summary }: { readonly summary: ImportSummaryBody }) {
  const { t } = useTexts();
  const chart = useMemo(() => toChart(summary), [summary]);
  const names = useMemo(() => new Map(summary.campaigns.map(({ id, name }) => [id, name])), [summary]);
  const [failures, refusals] = [byReason(summary.failures), byReason(summary.refusals)];
  const nothing = chart.series.length === 0 && refusals.length === 0;
  if (nothing) {
    return (
      <EmptyState icon="chart" title={t("nothing", { count: summary.days.length })}>
        <Text>{t("nothingDetail")}</Text>
        <TextLink to="/uploads">{t("uploadRecordings")}</TextLink>
      </EmptyState>
    );
  }
  return (
    <>
      <Tiles tiles={toTiles(summary)} days={summary.days.length} />
      <Days chart={chart} />
      <Reasons title={t("failures")} detail={t("failuresDetail")} none={t("noFailures")} count={failures.length}>
        <ReasonTable label={t("failures")} reasons={failures} campaignNames={names} hasCalls />
      </Reasons>
      <Reasons title={t("refusals")} detail={t("refusalsDetail")} none={t("noRefusals")} count={refusals.length}>
        <ReasonTable label={t("refusals")} reasons={refusals} campaignNames={names} />
      </Reasons>
    </>
  );
}

function Days({ chart: { days, series, totals } }: { readonly chart: Chart }) {
  const { t } = useTexts();
  const format = useFormat();
  const named = series.map(({ id, name, ...one }) => ({
    ...one,
    key: id ?? "",
    name: name ?? t("others"),
    others: id === null,
  }));
  const dayOf = (at: number, weekday: "short" | "long", month: "short" | "long") =>
    dayText(days[at] ?? "", format.language, { weekday, day: "numeric", month });
  const count = (value: number) => ({ text: format.number(value), value });
  const rows = days.map((day, at) => ({
    key: day,
    cells: [
      { text: dayOf(at, "short", "short"), value: day },
      ...named.map(({ counts }) => count(counts[at] ?? 0)),
      count(totals[at] ?? 0),
    ],
  }));
  const table: ChartTable = {
    columns: [
      { title: t("day") },
      ...named.map(({ name }) => ({ title: name, numeric: true })),
      { title: t("all"), numeric: true },
    ],
    rows: rows.reverse(),
  };
  return (
    <ChartSection title={t("chart")} table={table} fileName="imports">
      <StackedColumns
        days={days}
        series={named}
        totals={totals}
        caption={(at) =>
          at === undefined
            ? t("allDays", { count: totals.reduce((all, one) => all + one, 0), days: days.length })
            : t("oneDay", { count: totals[at] ?? 0, day: dayOf(at, "long", "long") })
        }
      />
    </ChartSection>
  );
}

interface ReasonsProps {
  readonly title: string;
  readonly detail: string;
  readonly none: string;
  readonly count: number;
  readonly children: ReactNode;
}

function Reasons({ title, detail, none, count, children }: ReasonsProps) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {count === 0 ? (
        <Text>{none}</Text>
      ) : (
        <>
          <Text size="sm" c="dimmed" maw={720}>
            {detail}
          </Text>
          {children}
        </>
      )}
    </Stack>
  );
}

/** Skeleton with the final height. */
function Loading() {
  const { t } = useUiTexts();
  return (
    <Stack gap="lg" role="status" aria-label={t("loading")}>
      <div className={classes.tiles}>
        {["today", "week", "waiting", "failed"].map((tile) => (
          <Skeleton key={tile} height={112} />
        ))}
      </div>
      <Skeleton height={390} />
      <Skeleton height={160} />
    </Stack>
  );
}
