import { Button, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useId } from "react";
import { Icon } from "../ui/icon.tsx";
import { saveFile } from "../ui/save-file.ts";
import { type ChartTable, toCsv } from "./chart-table.ts";
import classes from "./charts.module.css";
import { useTexts } from "./texts.ts";

interface ChartSectionProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly table: ChartTable;
  /** Without extension. */
  readonly fileName: string;
  /**
   * Whether the chart itself is a table. Otherwise it is hidden from screen readers, which always get the table behind it.
   */
  readonly readable?: boolean;
  readonly children: ReactNode;
}

/** A chart with its numbers as a table and as CSV. */
export function ChartSection({ title, intro, table, fileName, readable = false, children }: ChartSectionProps) {
  const { t } = useTexts();
  const id = useId();
  const [asTable, { toggle }] = useDisclosure(false);
  // The byte order mark makes spreadsheets read UTF-8.
  const download = () => saveFile(`${fileName}.csv`, new Blob(["\uFEFF", toCsv(table)], { type: "text/csv" }));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} className={classes.section ?? ""}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Title order={2} size="h4" id={id}>
              {title}
            </Title>
            {intro && (
              <Text component="div" size="sm" c="dimmed" maw={720}>
                {intro}
              </Text>
            )}
          </div>
          <Group gap="xs" className={classes.controls ?? ""}>
            <Button size="xs" variant="default" onClick={toggle} aria-expanded={asTable}>
              {asTable ? t("hideTable") : t("showTable")}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={download}
              aria-label={t("downloadCsvOf", { title })}
              leftSection={<Icon name="download" size={14} />}
            >
              {t("downloadCsv")}
            </Button>
          </Group>
        </Group>
        {readable ? !asTable && children : <div aria-hidden="true">{children}</div>}
        {(asTable || !readable) && (
          <div className={asTable ? classes.table : classes.hiddenTable}>
            <ChartRows label={title} table={table} links={asTable} />
          </div>
        )}
      </Stack>
    </Paper>
  );
}

interface ChartRowsProps {
  readonly label: string;
  readonly table: ChartTable;
  /** Links in a hidden table would take an invisible focus. */
  readonly links: boolean;
}

function ChartRows({ label, table: { columns, rows }, links }: ChartRowsProps) {
  return (
    <Table aria-label={label} striped>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ title, numeric }) => (
            <Table.Th key={title} scope="col" ta={numeric ? "right" : "left"}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody className="tabular">
        {rows.map(({ key, cells: [name, ...cells] }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw="inherit">
              {links && name?.node !== undefined ? name.node : name?.text}
            </Table.Th>
            {cells.map(({ text, node }, at) => (
              <Table.Td key={columns[at + 1]?.title} ta={columns[at + 1]?.numeric ? "right" : "left"}>
                {links && node !== undefined ? node : text}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
