import { Checkbox, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { makeFormat, useFormat } from "../ui/time/use-format.ts";
import { resolveRow } from "./queue/resolve-row.ts";
import type { Row } from "./queue/rows.ts";
import type { Uploads } from "./queue/upload-queue.ts";
import { useTexts } from "./texts.ts";
import { UploadRow } from "./upload-row.tsx";
import classes from "./uploads.module.css";

interface UploadListProps {
  readonly rows: readonly Row[];
  readonly uploads: Uploads;
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (ids: readonly number[], selected: boolean) => void;
  readonly onEdit: (row: Row) => void;
  readonly onCreateAgent: (email: string) => void;
}

/** Virtualised file list. */
export function UploadList({ rows, uploads, selected, onSelect, onEdit, onCreateAgent }: UploadListProps) {
  const { t } = useTexts();
  const { language } = useFormat();
  const { context, sent } = uploads;
  const format = useMemo(() => makeFormat(language, context.defaults.zone), [language, context.defaults.zone]);
  const narrow = useMediaQuery("(max-width: 61.99em)", false, { getInitialValueInEffect: false });
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  // The height above the list changes.
  useLayoutEffect(() => {
    const at = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(at - top) > 1) setTop(at);
  });
  const virtual = useWindowVirtualizer({
    count: rows.length,
    overscan: 8,
    scrollMargin: top,
    estimateSize: () => (narrow ? 190 : 62),
    getItemKey: (index) => rows[index]?.item.id ?? index,
  });
  const selectOne = useCallback((id: number, is: boolean) => onSelect([id], is), [onSelect]);
  const chosen = rows.filter(({ item }) => selected.has(item.id)).length;
  const heads = [t("file"), t("agent"), t("campaign"), t("timeIn", { zone: context.defaults.zone }), t("state")];
  return (
    <table aria-label={t("files")} aria-rowcount={rows.length + 1} className={classes.table}>
      <thead>
        <tr aria-rowindex={1} className={`${classes.row} ${classes.head}`}>
          <th scope="col" className={classes.select}>
            <Checkbox
              aria-label={t("selectAll")}
              checked={rows.length > 0 && chosen === rows.length}
              indeterminate={chosen > 0 && chosen < rows.length}
              onChange={(event) =>
                onSelect(
                  rows.map(({ item }) => item.id),
                  event.currentTarget.checked,
                )
              }
            />
          </th>
          {heads.map((head) => (
            <th key={head} scope="col" className={classes.headCell}>
              {head}
            </th>
          ))}
          <th scope="col" className={classes.headCell}>
            <VisuallyHidden>{t("actions")}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody ref={body} className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <tr
              key={key}
              tabIndex={-1}
              aria-rowindex={index + 2}
              data-index={index}
              ref={virtual.measureElement}
              className={classes.row}
              style={{ position: "absolute", top: 0, left: 0, right: 0, transform: `translateY(${start - top}px)` }}
            >
              <UploadRow
                row={row}
                format={format}
                onEdit={onEdit}
                onCreateAgent={onCreateAgent}
                defaults={context.defaults}
                onSelect={selectOne}
                resolved={resolveRow(row.item, context)}
                sentBytes={sent.get(row.item.id) ?? 0}
                selected={selected.has(row.item.id)}
              />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
