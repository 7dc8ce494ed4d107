import type { CallFilter, CallItem, Role } from "@hearback/sdk";
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Problem } from "../ui/problem.tsx";
import { useFormat } from "../ui/use-format.ts";
import { type CallFilters, isFiltered } from "./call-filters.ts";
import { type CallList, hasEnded, mostRows } from "./call-list.ts";
import styles from "./call-table.module.css";
import { CallTable, MissingTable } from "./call-table.tsx";
import { type ColumnId, cardColumns, toColumns } from "./columns.ts";
import { NewCalls } from "./new-calls.tsx";
import { NoCalls } from "./no-calls.tsx";
import { callQueries } from "./queries.ts";
import { useCallList, useRenewal } from "./use-call-list.ts";
import { usePlace } from "./use-place.ts";

interface CallRowsProps {
  /** The step in the browser's history that this is. */
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

/** The calls that match, or why there are none to see. */
export function CallRows({ step, address, filter, filters, campaigns, columnIds, narrow, ...props }: CallRowsProps) {
  const { t } = useTexts("calls");
  const format = useFormat();
  const { place, leave, forget } = usePlace({ step, address, filter });
  const { list, error, problem, look, resting, retry, searchFurther } = useCallList(filter, place !== undefined);
  const { data: count } = useQuery({ ...callQueries.count(filter), refetchOnMount: place ? true : "always" });
  useRenewal(filter, place?.row);
  const columns = useMemo(
    () => toColumns(narrow ? cardColumns : columnIds, { t, format, campaigns }),
    [narrow, columnIds, t, format, campaigns],
  );
  const notRead = error && <Problem error={error} onRetry={retry} />;
  if (!list) return notRead ?? <MissingTable columns={columns} cards={narrow} />;
  const foot = <Foot {...{ list, problem, resting, retry }} onFurther={searchFurther} />;
  const newCalls = <NewCalls filter={filter} list={list} onShow={forget} />;
  if (list.rows === 0) {
    return (
      <>
        {notRead}
        {newCalls}
        {!hasEnded(list) || problem ? (
          foot
        ) : (
          <NoCalls role={props.role} filtered={isFiltered(filters)} onClear={props.onClear} />
        )}
      </>
    );
  }
  return (
    <>
      {notRead}
      {newCalls}
      <CallTable
        {...{ list, columns, place, foot }}
        cards={narrow}
        total={count?.exact ? count.count : undefined}
        hrefOf={props.hrefOf}
        onLook={look}
        onLeave={leave}
        onOpen={props.onOpen}
        onNear={props.onNear}
      />
    </>
  );
}

interface FootProps {
  readonly list: CallList;
  readonly problem: unknown;
  /** Looking further back waits for somebody to ask for it. */
  readonly resting: boolean;
  readonly retry: () => void;
  readonly onFurther: () => void;
}

/** What stands behind the last call. */
function Foot({ list, problem, resting, retry, onFurther }: FootProps) {
  const { t } = useTexts("calls");
  const format = useFormat();
  if (problem) {
    return (
      <div className={styles.foot}>
        <Problem error={problem} onRetry={retry} />
      </div>
    );
  }
  if (list.rows >= mostRows) return <p className={styles.foot}>{t("tooMany", { number: format.number(list.rows) })}</p>;
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
