import type { ReactNode } from "react";
import { Problem } from "../feedback/problem.tsx";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { LoadingRows } from "./loading-rows.tsx";
import { MoreRows } from "./more-rows.tsx";

interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, "rows"> {
  /** Result of useInfiniteQuery. */
  readonly list: PagedList;
  /** Rows of all loaded pages. */
  readonly rows: readonly Row[] | undefined;
  /** EmptyState element. */
  readonly empty: ReactNode;
}

interface PagedList {
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly refetch: () => Promise<unknown>;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Paginated table with loading, error and empty states. */
export function PagedTable<Row>({ list, rows, empty, ...table }: PagedTableProps<Row>) {
  const problem = list.error != null && <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (!rows) return problem || <LoadingRows height={52} />;
  if (rows.length === 0 && !list.hasNextPage) return problem || empty;
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
