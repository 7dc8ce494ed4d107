import { Checkbox, Text } from "@mantine/core";
import { memo } from "react";
import { RowMenu } from "../ui/table/row-menu.tsx";
import type { Format } from "../ui/time/use-format.ts";
import type { Defaults, ResolvedRow } from "./queue/resolve-row.ts";
import type { Row } from "./queue/rows.ts";
import { uploads } from "./queue/uploads.ts";
import { RowState } from "./row-state.tsx";
import { useTexts } from "./texts.ts";
import classes from "./uploads.module.css";

interface UploadRowProps {
  readonly row: Row;
  readonly resolved: ResolvedRow;
  readonly defaults: Defaults;
  readonly sentBytes: number;
  readonly selected: boolean;
  /** In the time zone of file names. */
  readonly format: Format;
  readonly onSelect: (id: number, selected: boolean) => void;
  readonly onEdit: (row: Row) => void;
  readonly onCreateAgent: (email: string) => void;
}

export const UploadRow = memo(function UploadRow(props: UploadRowProps) {
  const { t } = useTexts();
  const { row, resolved, format, selected, sentBytes } = props;
  const { item, state } = row;
  const { name } = item.file;
  const open = state.kind !== "done" && state.kind !== "sending";
  return (
    <>
      <td className={classes.select}>
        <Checkbox
          aria-label={t("select", { name })}
          checked={selected}
          onChange={(event) => props.onSelect(item.id, event.currentTarget.checked)}
        />
      </td>
      <th scope="row" className={classes.name}>
        <Text size="sm" fw={500} lineClamp={2} className={classes.fileName ?? ""} title={item.path}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate className="tabular">
          {[
            format.bytes(item.file.size),
            item.look?.durationMs !== undefined && format.duration(item.look.durationMs),
            resolved.phone,
            folderOf(item.path),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      </th>
      <Fact label={t("agent")} value={resolved.agent?.name} more={resolved.agent?.email} />
      <Fact label={t("campaign")} value={resolved.campaign?.name} />
      <Fact
        label={t("timeShort")}
        value={resolved.at && format.date(resolved.at)}
        more={resolved.at && clockTime(resolved.at, format)}
        note={isFileTime(props) ? t("fromFile") : undefined}
        title={resolved.at && format.exact(resolved.at)}
      />
      <td className={classes.state}>
        <RowState row={row} resolved={resolved} sentBytes={sentBytes} onCreateAgent={props.onCreateAgent} />
      </td>
      <td className={classes.menu}>
        {state.kind !== "sending" && (
          <RowMenu
            name={name}
            actions={[
              ...(open ? [{ label: t("editDetails"), icon: "edit" as const, onClick: () => props.onEdit(row) }] : []),
              {
                label: t("remove"),
                icon: "trash" as const,
                onClick: () => uploads.remove((one) => one.item.id === item.id),
              },
            ]}
          />
        )}
      </td>
    </>
  );
});

const clockTime = (at: Date, { language, zone }: Format) =>
  at.toLocaleTimeString(language, { timeZone: zone, timeStyle: "medium" });

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const isFileTime = ({ row: { item }, resolved, defaults }: UploadRowProps) =>
  resolved.at !== undefined &&
  !item.overrides.at &&
  (item.overrides.fileTime || (defaults.fileTime && !item.parts.time));

interface FactProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly more?: string | undefined;
  /** Source of the value. */
  readonly note?: string | undefined;
  readonly title?: string | undefined;
}

/** One value of a row. On narrow screens with a label. */
function Fact({ label, value, more, note, title }: FactProps) {
  const { t } = useTexts();
  return (
    <td className={classes.fact}>
      <Text size="sm" c="dimmed" className={classes.factLabel ?? ""} aria-hidden="true">
        {label}
      </Text>
      <div className={classes.factValue}>
        <Text size="sm" truncate {...(title && { title })} {...(!value && { c: "dimmed" })}>
          {value ?? t("open")}
        </Text>
        {more && (
          <Text size="xs" c="dimmed" truncate title={more}>
            {more}
          </Text>
        )}
        {note && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </div>
    </td>
  );
}
