import type { ReactNode } from "react";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { LoadingRows } from "./loading-rows.tsx";
import { MoreRows } from "./more-rows.tsx";
import { Problem } from "./problem.tsx";

interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, "rows"> {
  /** What useInfiniteQuery gave. */
  readonly list: PagedList;
  /** The rows of all pages so far. */
  readonly rows: readonly Row[] | undefined;
  /** An EmptyState: what to see where there is none, and what to do about it. */
  readonly empty: ReactNode;
}

interface PagedList {
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly refetch: () => Promise<unknown>;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** A table that comes page by page, with what is to be seen before it comes, if it does not, and if it is empty. */
export function PagedTable<Row>({ list, rows, empty, ...table }: PagedTableProps<Row>) {
  const problem = list.error != null && <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (!rows) return problem || <LoadingRows height={52} />;
  if (rows.length === 0) return problem || empty;
  return (
    <>
      {problem}
      <DataTable {...table} rows={rows} />
      <MoreRows
        shown={rows.length}
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  );
}
