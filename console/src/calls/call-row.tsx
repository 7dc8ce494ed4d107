// Elements of a table would be drawn as a table: these are placed one by one.
// biome-ignore-all lint/a11y/useSemanticElements: see above
// biome-ignore-all lint/a11y/useFocusableInteractive: a table that is read; the links in it take the focus
import type { CallItem } from "@hearback/sdk";
import { memo } from "react";
import styles from "./call-table.module.css";
import type { Column } from "./columns.ts";

interface CallRowProps {
  readonly call: CallItem;
  readonly row: number;
  readonly top: number;
  /** Whether the Tab key leads here. */
  readonly current: boolean;
  readonly columns: readonly Column[];
  readonly href: string;
}

/** One call. There are many and they come fast: plain elements, and drawn again only for a reason. */
export const CallRow = memo(function CallRow({ call, row, top, current, columns, href }: CallRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={row % 2 === 0 ? styles.row : `${styles.row} ${styles.odd}`}
      style={{ transform: `translateY(${top}px)` }}
      data-row={row}
    >
      {columns.map((column, place) => (
        <div role="cell" key={column.id} className={cellClass(column)} title={column.title?.(call)}>
          {column.tone && <span className={`${styles.dot} ${styles[column.tone(call)]}`} />}
          {place === 0 ? (
            <a className={styles.link} href={href} tabIndex={current ? 0 : -1} aria-label={nameOf(call, columns)}>
              {column.text(call)}
            </a>
          ) : (
            column.text(call)
          )}
        </div>
      ))}
    </div>
  );
});

const classes = { number: styles.number, code: styles.code };

const cellClass = ({ id, look }: Column) =>
  [styles.cell, look && classes[look], styles[`in-${id}`]].filter(Boolean).join(" ");

/** What is written first, and enough to know the call by. */
function nameOf(call: CallItem, columns: readonly Column[]): string {
  const written = columns.slice(0, 2).map((column) => column.text(call));
  return [...new Set([...written, call.agent.name])].join(", ");
}

/** A call that is on its way. */
export const MissingRow = memo(function MissingRow({ top, columns }: Pick<CallRowProps, "top" | "columns">) {
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
