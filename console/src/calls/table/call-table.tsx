// Rows are absolutely positioned, which table elements do not support.
// biome-ignore-all lint/a11y/useSemanticElements: see above
// biome-ignore-all lint/a11y/useFocusableInteractive: read-only table; its links are focusable
import type { CallItem } from "@hearback/sdk";
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { useShortcuts } from "../../ui/shortcuts/shortcuts.tsx";
import { useTexts as useUiTexts } from "../../ui/texts.ts";
import { type CallList, callAt, hasEnded, pageSize } from "../call-list.ts";
import type { Said } from "../filters/said-query.ts";
import type { ListPosition } from "../queries.ts";
import { useTexts } from "../texts.ts";
import type { RowRange } from "../use-call-list.ts";
import { CallRow, SkeletonRow } from "./call-row.tsx";
import styles from "./call-table.module.css";
import type { Column } from "./columns.ts";
import { useRowPointer } from "./use-row-pointer.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";

interface CallTableProps {
  readonly list: CallList;
  readonly columns: readonly Column[];
  /** Two lines per call instead of columns. */
  readonly cards: boolean;
  /** Exact total, if known. */
  readonly total: number | undefined;
  /** Position to restore. */
  readonly position: ListPosition | undefined;
  readonly hrefOf: (id: string) => string;
  /** What the list was searched for: shown below each call. Must be stable. */
  readonly said: Said | undefined;
  readonly onLook: (range: RowRange) => void;
  readonly onLeave: (position: ListPosition) => void;
  readonly onOpen: (id: string) => void;
  /** Hover or focus: prefetch the call. */
  readonly onNear: (call: CallItem) => void;
  /** Footer below the last row. */
  readonly foot: ReactNode;
}

const headHeight = 38;
/** Of the sentence below a call. */
const matchHeight = 28;
const heightOf = (cards: boolean) => (cards ? 64 : 40);

/** Virtualised table with its own scroll container. */
export function CallTable({ list, columns, cards, position, hrefOf, said, onLook, onLeave, ...props }: CallTableProps) {
  const { t } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = heightOf(cards) + (said ? matchHeight : 0);
  const waiting = hasEnded(list) || list.searchedTo ? 0 : (props.total ?? Number.POSITIVE_INFINITY) - list.rows;
  const count = list.rows + Math.max(0, Math.min(pageSize, waiting));
  const head = cards ? 0 : headHeight;
  const { current, setCurrent, goTo, onKeyDown, first, last, drawn, height } = useVirtualRows({
    box,
    count,
    reachable: list.rows,
    rowHeight,
    head,
    position,
  });
  const find = (row: number) => callAt(list, row);
  const pointer = useRowPointer({ find, onCurrent: setCurrent, onOpen: props.onOpen, onNear: props.onNear });
  // Focus from outside enters at a visible row.
  const isHere = () => box.current?.contains(document.activeElement) ?? false;
  const entrance = current >= first && current <= last ? current : first;
  const step = (by: number) => goTo(isHere() ? current + by : entrance);
  const group = t("title");
  useShortcuts([
    { keys: ["j", "ArrowDown"], text: t("keyNext"), group, repeats: true, run: () => step(1) },
    { keys: ["k", "ArrowUp"], text: t("keyPrevious"), group, repeats: true, run: () => step(-1) },
  ]);
  useEffect(() => onLook({ first, last }), [onLook, first, last]);
  useSavePosition(box, current, onLeave);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: delegated events of the links inside
    <div
      ref={box}
      className={cards ? `${styles.box} ${styles.cards}` : styles.box}
      style={tableVariables(columns, rowHeight)}
      data-said={said !== undefined || undefined}
      onKeyDown={onKeyDown}
      {...pointer}
    >
      <div
        role="table"
        aria-label={t("title")}
        aria-rowcount={hasEnded(list) ? list.rows + 1 : -1}
        className={styles.table}
      >
        <HeaderRow columns={columns} />
        <div role="rowgroup" className={styles.body} style={{ height }}>
          {drawn.map(({ row, top }) => {
            const call = callAt(list, row);
            if (!call) return <SkeletonRow key={row} top={top} columns={columns} />;
            const isCurrent = row === current;
            return (
              <CallRow
                key={row}
                call={call}
                row={row}
                top={top}
                columns={columns}
                current={isCurrent}
                href={hrefOf(call.id)}
                said={said}
                visible={said && row >= first && row <= last}
              />
            );
          })}
        </div>
      </div>
      {props.foot}
    </div>
  );
}

function HeaderRow({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={styles.head}>
        {columns.map(({ id, label, look }) => (
          <div
            role="columnheader"
            key={id}
            className={look === "number" ? `${styles.cell} ${styles.number}` : styles.cell}
          >
            {label}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Saves the list position on unmount. */
function useSavePosition(
  box: { readonly current: HTMLElement | null },
  row: number,
  onLeave: (position: ListPosition) => void,
): void {
  const latest = useRef(row);
  useEffect(() => {
    latest.current = row;
  });
  useLayoutEffect(() => {
    const here = box.current;
    return () => onLeave({ offset: here?.scrollTop ?? 0, row: latest.current });
  }, [box, onLeave]);
}

/** CSS variables for the style sheet. */
function tableVariables(columns: readonly Column[], rowHeight: number): CSSProperties {
  return {
    "--row-height": `${rowHeight}px`,
    "--head-height": `${headHeight}px`,
    "--columns": columns.map(({ width: [min, share] }) => `minmax(${min}px, ${share}fr)`).join(" "),
    "--table-width": `${columns.reduce((sum, { width }) => sum + width[0], 12)}px`,
  } as CSSProperties;
}

/** Skeleton of the table. */
export function SkeletonTable({ columns, cards }: Pick<CallTableProps, "columns" | "cards">) {
  const { t } = useUiTexts();
  const rowHeight = heightOf(cards);
  return (
    <div
      role="status"
      aria-label={t("loading")}
      className={cards ? `${styles.box} ${styles.cards}` : styles.box}
      style={tableVariables(columns, rowHeight)}
    >
      <div className={styles.table}>
        <div className={styles.head} />
        <div className={styles.body}>
          {Array.from({ length: 24 }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
            <SkeletonRow key={row} top={row * rowHeight} columns={columns} />
          ))}
        </div>
      </div>
    </div>
  );
}
