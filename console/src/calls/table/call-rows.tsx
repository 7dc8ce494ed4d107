import type { CallFilter, CallItem, Role } from "@hearback/sdk";
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Problem } from "../../ui/feedback/problem.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import { type CallList, hasEnded, maxRows } from "../call-list.ts";
import { type CallFilters, isFiltered } from "../filters/call-filters.ts";
import { NewCalls } from "../new-calls.tsx";
import { NoCalls } from "../no-calls.tsx";
import { callQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { useCallList, useRefreshVisible } from "../use-call-list.ts";
import { useScrollRestoration } from "../use-scroll-restoration.ts";
import styles from "./call-table.module.css";
import { CallTable, SkeletonTable } from "./call-table.tsx";
import { type ColumnId, cardColumns, toColumns } from "./columns.ts";

interface CallRowsProps {
  /** Key of this entry in the browser history. */
  readonly step: string;
  readonly address: string;
  readonly filters: CallFilters;
  readonly filter: CallFilter;
  readonly campaigns: ReadonlyMap<string, string>;
  readonly columnIds: readonly ColumnId[];
  readonly narrow: boolean;
  readonly role: Role;
  readonly hrefOf: (id: string) => string;
  readonly onOpen: (id: string) => void;
  readonly onNear: (call: CallItem) => void;
  readonly onClear: () => void;
}

/** Table of matching calls, or the empty state. */
export function CallRows({
  step,
  address,
  filter,
  filters,
  campaigns,
  columnIds,
  narrow,
  role,
  ...props
}: CallRowsProps) {
  const { t } = useTexts();
  const format = useFormat();
  const { position, leave, forget } = useScrollRestoration({ step, address, filter });
  const { list, error, problem, look, resting, retry, searchFurther } = useCallList(filter, position !== undefined);
  const { data: count } = useQuery({ ...callQueries.count(filter), refetchOnMount: position ? true : "always" });
  useRefreshVisible(filter, position?.row);
  const columns = useMemo(() => {
    // Agents see their own calls only.
    const ids = (narrow ? cardColumns : columnIds).filter((id) => role !== "agent" || id !== "agent");
    return toColumns(ids.length > 0 ? ids : cardColumns, { t, format, campaigns, cards: narrow });
  }, [narrow, columnIds, role, t, format, campaigns]);
  const { said: words, saidBy } = filter;
  const said = useMemo(() => (words === undefined ? undefined : { said: words, saidBy }), [words, saidBy]);
  const notRead = error && <Problem error={error} onRetry={retry} />;
  if (!list) return notRead ?? <SkeletonTable columns={columns} cards={narrow} />;
  const foot = <ListFooter list={list} problem={problem} resting={resting} retry={retry} onFurther={searchFurther} />;
  const newCalls = <NewCalls filter={filter} list={list} onShow={forget} />;
  if (list.rows === 0) {
    return (
      <>
        {notRead}
        {newCalls}
        {!hasEnded(list) || problem ? (
          foot
        ) : (
          <NoCalls role={role} filtered={isFiltered(filters)} onClear={props.onClear} />
        )}
      </>
    );
  }
  return (
    <>
      {notRead}
      {newCalls}
      <CallTable
        list={list}
        columns={columns}
        position={position}
        foot={foot}
        cards={narrow}
        total={count?.exact ? count.count : undefined}
        said={said}
        hrefOf={props.hrefOf}
        onLook={look}
        onLeave={leave}
        onOpen={props.onOpen}
        onNear={props.onNear}
      />
    </>
  );
}

interface ListFooterProps {
  readonly list: CallList;
  readonly problem: unknown;
  /** The search paused and waits for the user to continue. */
  readonly resting: boolean;
  readonly retry: () => void;
  readonly onFurther: () => void;
}

/** Footer below the last call. */
function ListFooter({ list, problem, resting, retry, onFurther }: ListFooterProps) {
  const { t } = useTexts();
  const format = useFormat();
  if (problem) {
    return (
      <div className={styles.foot}>
        <Problem error={problem} onRetry={retry} />
      </div>
    );
  }
  if (list.rows >= maxRows) return <p className={styles.foot}>{t("tooMany", { number: format.number(list.rows) })}</p>;
  if (list.next === null || !list.searchedTo) return null;
  return (
    <Group className={styles.foot} justify="center" gap="sm" role="status">
      {t(resting ? "searchedTo" : "searchingFrom", { time: format.date(list.searchedTo) })}
      {resting && (
        <Button size="compact-sm" variant="light" onClick={onFurther}>
          {t("searchFurther")}
        </Button>
      )}
    </Group>
  );
}
