// Rows are absolutely positioned, which table elements do not support.
// biome-ignore-all lint/a11y/useSemanticElements: see above
// biome-ignore-all lint/a11y/useFocusableInteractive: read-only table; its links are focusable
import type { CallItem } from "@hearback/sdk";
import { memo, Suspense } from "react";
import { lazyComponent } from "../../ui/lazy/lazy-component.tsx";
import type { Said } from "../filters/said-query.ts";
import styles from "./call-table.module.css";
import type { Column } from "./columns.ts";

const MatchLine = lazyComponent(async () => (await import("./match-line.tsx")).MatchLine);

interface CallRowProps {
  readonly call: CallItem;
  readonly row: number;
  readonly top: number;
  /** Whether the row is in the tab order. */
  readonly current: boolean;
  readonly columns: readonly Column[];
  readonly href: string;
  /** What the list was searched for. */
  readonly said?: Said | undefined;
  /** Whether the row is on screen. */
  readonly visible?: boolean | undefined;
}

/** One call. Rendered often while scrolling: plain elements, memoised. */
export const CallRow = memo(function CallRow({
  call,
  row,
  top,
  current,
  columns,
  href,
  said,
  visible = false,
}: CallRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={row % 2 === 0 ? styles.row : `${styles.row} ${styles.odd}`}
      style={{ transform: `translateY(${top}px)` }}
      data-row={row}
    >
      {columns.map((column, index) => (
        <div role="cell" key={column.id} className={cellClass(column)} title={column.title?.(call)}>
          <Dot tone={column.tone?.(call)} />
          {index === 0 ? (
            <a className={styles.link} href={href} tabIndex={current ? 0 : -1} aria-label={nameOf(call, columns)}>
              {column.text(call)}
            </a>
          ) : (
            column.text(call)
          )}
        </div>
      ))}
      {said && (
        <div role="cell" className={styles.match}>
          <Suspense fallback={<span className={styles.missing} />}>
            <MatchLine callId={call.id} {...{ said, visible, current }} />
          </Suspense>
        </div>
      )}
    </div>
  );
});

const Dot = ({ tone }: { readonly tone: CallItem["status"] | undefined }) =>
  tone && <span className={`${styles.dot} ${styles[tone]}`} />;

const classes = { number: styles.number, code: styles.code };

const cellClass = ({ id, look }: Column) =>
  [styles.cell, look && classes[look], styles[`in-${id}`]].filter(Boolean).join(" ");

/** Accessible name: the first columns and the agent. */
function nameOf(call: CallItem, columns: readonly Column[]): string {
  const written = columns.slice(0, 2).map((column) => column.text(call));
  return [...new Set([...written, call.agent.name])].filter((text) => text !== "").join(", ");
}

/** Skeleton of a row. */
export const SkeletonRow = memo(function MissingRow({ top, columns }: Pick<CallRowProps, "top" | "columns">) {
  return (
    <div aria-hidden="true" className={styles.row} style={{ transform: `translateY(${top}px)` }}>
      {columns.map((column) => (
        <div key={column.id} className={cellClass(column)}>
          <span className={styles.missing} />
        </div>
      ))}
    </div>
  );
});
