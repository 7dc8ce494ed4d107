import { Checkbox, Text } from "@mantine/core";
import { memo } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { RowMenu } from "../ui/row-menu.tsx";
import type { Format } from "../ui/use-format.ts";
import { RowState } from "./row-state.tsx";
import type { Choices, Settled } from "./settle-row.ts";
import type { Row } from "./upload-queue.ts";
import classes from "./uploads.module.css";
import { uploads } from "./uploads.ts";

interface UploadRowProps {
  readonly row: Row;
  readonly settled: Settled;
  readonly choices: Choices;
  readonly sentBytes: number;
  readonly selected: boolean;
  /** In the zone in which names are read. */
  readonly format: Format;
  readonly onSelect: (id: number, selected: boolean) => void;
  readonly onEdit: (row: Row) => void;
}

export const UploadRow = memo(function UploadRow(props: UploadRowProps) {
  const { t } = useTexts("uploads");
  const { row, settled, format, selected, sentBytes } = props;
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
            folderOf(item.path),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      </th>
      <Fact label={t("agent")} value={settled.agent?.name} more={settled.agent?.email} />
      <Fact label={t("campaign")} value={settled.campaign?.name} />
      <Fact
        label={t("timeShort")}
        value={settled.at && format.date(settled.at)}
        more={settled.at && clockTime(settled.at, format)}
        note={isFileTime(props) ? t("fromFile") : undefined}
        title={settled.at && format.exact(settled.at)}
      />
      <td className={classes.state}>
        <RowState row={row} settled={settled} sentBytes={sentBytes} />
      </td>
      <td className={classes.menu}>
        {state.kind !== "sending" && (
          <RowMenu
            name={name}
            actions={[
              ...(open ? [{ label: t("setFacts"), icon: "edit" as const, onClick: () => props.onEdit(row) }] : []),
              {
                ...{ label: t("remove"), icon: "trash" as const },
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

const isFileTime = ({ row: { item }, settled, choices }: UploadRowProps) =>
  settled.at !== undefined && !item.given.at && (item.given.fileTime || (choices.fileTime && !item.parts.time));

interface FactProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly more?: string | undefined;
  /** Where it comes from, if that is to be known. */
  readonly note?: string | undefined;
  readonly title?: string | undefined;
}

/** One of the three things that a call needs. On a narrow screen its heading stands before it. */
function Fact({ label, value, more, note, title }: FactProps) {
  const { t } = useTexts("uploads");
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
