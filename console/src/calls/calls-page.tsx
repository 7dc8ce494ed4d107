import type { CallItem } from "@hearback/sdk";
import { Group } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useRef } from "react";
import { useSession } from "../access/queries.ts";
import { playerQueries } from "../player/queries.ts";
import { formatTimeParam } from "../player/time-param.ts";
import { parseSearch, stringifySearch } from "../search-params.ts";
import { Page } from "../ui/page.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { useDay } from "../ui/time/use-day.ts";
import { CallCount } from "./call-count.tsx";
import { ExportLink } from "./export-link.tsx";
import { type CallFilters, noFilters, readFilters, toCallFilter, writeFilters } from "./filters/call-filters.ts";
import { FilterBar } from "./filters/filter-bar.tsx";
import { FilterChips } from "./filters/filter-chips.tsx";
import { findCachedMatch } from "./filters/said-query.ts";
import { callQueries } from "./queries.ts";
import { CallRows } from "./table/call-rows.tsx";
import { ColumnMenu } from "./table/column-menu.tsx";
import { useColumnIds } from "./table/use-columns.ts";
import { useTexts } from "./texts.ts";

const noNames: ReadonlyMap<string, string> = new Map();

/** Call search. All filters live in the URL. */
export function CallsPage() {
  const { t } = useTexts();
  const { role } = useSession().user;
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const quick = useRef<HTMLInputElement>(null);
  const { filters, filter, day, address, step, show, open, near, hrefOf } = useAddress();
  const { data: campaigns = noNames } = useQuery(callQueries.campaigns);
  const [columnIds, setColumnIds] = useColumnIds();
  useShortcuts([{ keys: ["/"], text: t("keyFind"), group: t("title"), run: () => quick.current?.focus() }]);
  const mayExport = role === "supervisor" || role === "admin";
  const actions = (
    <>
      {!narrow && <ColumnMenu ownCalls={role === "agent"} ids={columnIds} onChange={setColumnIds} />}
      {mayExport && <ExportLink filter={filter} columnIds={columnIds} />}
    </>
  );
  return (
    <Page title={t("title")} actions={actions} fill>
      <FilterBar
        filters={filters}
        filter={filter}
        campaigns={campaigns}
        quick={quick}
        narrow={narrow}
        ownCalls={role === "agent"}
        ownReviews={role === "agent" || role === "reviewer"}
        onChange={show}
        onOpen={open}
      />
      <Group gap="xs" mih={30}>
        <CallCount filter={filter} />
        <FilterChips filters={filters} campaigns={campaigns} onChange={show} onEmptied={() => quick.current?.focus()} />
      </Group>
      <CallRows
        key={`${step} ${day}`}
        step={step}
        address={address}
        filter={filter}
        filters={filters}
        campaigns={campaigns}
        columnIds={columnIds}
        narrow={narrow}
        role={role}
        hrefOf={hrefOf}
        onOpen={open}
        onNear={near}
        onClear={() => show(noFilters)}
      />
    </Page>
  );
}

/** Filters of the URL and navigation. */
function useAddress() {
  const [navigate, router, queries] = [useNavigate(), useRouter(), useQueryClient()];
  // Normalised, so that the parameter order does not matter.
  const address = stringifySearch(writeFilters(readFilters(useSearch({ strict: false }))));
  const filters = useMemo(() => readFilters(parseSearch(address)), [address]);
  const day = useDay(filters.period?.preset && filters.period.zone);
  const filter = useMemo(() => toCallFilter(filters, new Date(day)), [filters, day]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new filters create a history entry
  const step = useMemo(() => router.history.location.state.__TSR_key ?? "", [router, address]);
  const show = useCallback(
    (next: CallFilters) => void navigate({ to: "/calls", search: writeFilters(next) }),
    [navigate],
  );
  const open = useCallback(
    (id: string) => {
      const { said, saidBy } = filters;
      const match = said === undefined ? undefined : findCachedMatch(queries, id, { said, saidBy });
      const t = match && formatTimeParam(match.start_ms);
      void navigate({ to: "/calls/$id", params: { id }, search: { ...writeFilters(filters), ...(t && { t }) } });
    },
    [navigate, queries, filters],
  );
  const near = useCallback(
    ({ id, status }: CallItem) => {
      void router.preloadRoute({ to: "/calls/$id", params: { id } });
      void queries.prefetchQuery(playerQueries.call(id));
      if (status !== "ready") return;
      void queries.prefetchQuery(playerQueries.waveform(id));
      void queries.prefetchQuery(playerQueries.speech(id));
    },
    [router, queries],
  );
  const hrefOf = useCallback((id: string) => `${import.meta.env.BASE_URL}calls/${id}${address}`, [address]);
  return { filters, filter, day, address, step, show, open, near, hrefOf };
}
