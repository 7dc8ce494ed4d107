// Elements of a table would be drawn as a table: these are placed one by one.
// biome-ignore-all lint/a11y/useSemanticElements: see above
// biome-ignore-all lint/a11y/useFocusableInteractive: a table that is read; the links in it take the focus
import type { CallItem } from "@hearback/sdk";
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { useShortcuts } from "../ui/shortcuts.tsx";
import { type CallList, callAt, hasEnded, pageSize } from "./call-list.ts";
import { CallRow, MissingRow } from "./call-row.tsx";
import styles from "./call-table.module.css";
import type { Column } from "./columns.ts";
import type { Place } from "./queries.ts";
import type { RowRange } from "./use-call-list.ts";
import { useRowPointer } from "./use-row-pointer.ts";
import { useRows } from "./use-rows.ts";

interface CallTableProps {
  readonly list: CallList;
  readonly columns: readonly Column[];
  /** Two lines for each call instead of columns. */
  readonly cards: boolean;
  /** How many there are in all, where that was counted. */
  readonly total: number | undefined;
  /** Where somebody was who comes back. */
  readonly place: Place | undefined;
  readonly hrefOf: (id: string) => string;
  readonly onLook: (range: RowRange) => void;
  readonly onLeave: (place: Place) => void;
  readonly onOpen: (id: string) => void;
  /** Somebody may be about to open it. */
  readonly onNear: (call: CallItem) => void;
  /** What stands behind the last row. */
  readonly foot: ReactNode;
}

const headHeight = 38;

/** As many calls as there are, in a box of its own; only those that are seen are drawn. */
export function CallTable({ list, columns, cards, place, hrefOf, onLook, onLeave, ...props }: CallTableProps) {
  const { t } = useTexts("calls");
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = cards ? 64 : 40;
  const waiting = hasEnded(list) || list.searchedTo ? 0 : (props.total ?? Number.POSITIVE_INFINITY) - list.rows;
  const count = list.rows + Math.max(0, Math.min(pageSize, waiting));
  const head = cards ? 0 : headHeight;
  const { current, setCurrent, goTo, onKeyDown, first, last, drawn, height } = useRows({
    ...{ box, count, reachable: list.rows, rowHeight, head, place },
  });
  const find = (row: number) => callAt(list, row);
  const pointer = useRowPointer({ find, onCurrent: setCurrent, onOpen: props.onOpen, onNear: props.onNear });
  // From elsewhere on the page one comes to what is seen.
  const isHere = () => box.current?.contains(document.activeElement) ?? false;
  const entrance = current >= first && current <= last ? current : first;
  const step = (by: number) => goTo(isHere() ? current + by : entrance);
  const group = t("title");
  useShortcuts([
    { keys: ["j", "ArrowDown"], text: t("keyNext"), group, repeats: true, run: () => step(1) },
    { keys: ["k", "ArrowUp"], text: t("keyPrevious"), group, repeats: true, run: () => step(-1) },
  ]);
  useEffect(() => onLook({ first, last }), [onLook, first, last]);
  useLeaving(box, current, onLeave);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for the links in it
    <div
      ref={box}
      className={cards ? `${styles.box} ${styles.cards}` : styles.box}
      style={measures(columns, rowHeight)}
      onKeyDown={onKeyDown}
      {...pointer}
    >
      <div
        role="table"
        aria-label={t("title")}
        aria-rowcount={hasEnded(list) ? list.rows + 1 : -1}
        className={styles.table}
      >
        <Head columns={columns} />
        <div role="rowgroup" className={styles.body} style={{ height }}>
          {drawn.map(({ row, top }) => {
            const call = callAt(list, row);
            if (!call) return <MissingRow key={row} top={top} columns={columns} />;
            const isCurrent = row === current;
            return <CallRow key={row} {...{ call, row, top, columns }} current={isCurrent} href={hrefOf(call.id)} />;
          })}
        </div>
      </div>
      {props.foot}
    </div>
  );
}

function Head({ columns }: { readonly columns: readonly Column[] }) {
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

/** Says where somebody was when they left. */
function useLeaving(box: { readonly current: HTMLElement | null }, row: number, onLeave: (place: Place) => void): void {
  const latest = useRef(row);
  useEffect(() => {
    latest.current = row;
  });
  useLayoutEffect(() => {
    const here = box.current;
    return () => onLeave({ offset: here?.scrollTop ?? 0, row: latest.current });
  }, [box, onLeave]);
}

/** What the style sheet reckons with. */
function measures(columns: readonly Column[], rowHeight: number): CSSProperties {
  return {
    "--row-height": `${rowHeight}px`,
    "--head-height": `${headHeight}px`,
    "--columns": columns.map(({ width: [least, share] }) => `minmax(${least}px, ${share}fr)`).join(" "),
    "--table-width": `${columns.reduce((sum, { width }) => sum + width[0], 12)}px`,
  } as CSSProperties;
}

/** The table before its first calls are there. */
export function MissingTable({ columns, cards }: Pick<CallTableProps, "columns" | "cards">) {
  const { t } = useTexts("ui");
  const rowHeight = cards ? 64 : 40;
  return (
    <div
      role="status"
      aria-label={t("loading")}
      className={cards ? `${styles.box} ${styles.cards}` : styles.box}
      style={measures(columns, rowHeight)}
    >
      <div className={styles.table}>
        <div className={styles.head} />
        <div className={styles.body}>
          {Array.from({ length: 24 }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
            <MissingRow key={row} top={row * rowHeight} columns={columns} />
          ))}
        </div>
      </div>
    </div>
  );
}
