import { Group, Paper, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTexts } from "../texts.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: "left" | "right";
  readonly width?: number | string;
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  /** The first column identifies the row. It becomes the card title on narrow screens. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Row actions, such as a RowMenu. */
  readonly actions?: (row: Row) => ReactNode;
}

/** Table for up to hundreds of rows. Cards on narrow screens. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const narrow = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  return narrow ? <Cards {...props} /> : <Rows {...props} />;
}

function Rows<Row>({ label, columns, rows, rowKey, actions }: DataTableProps<Row>) {
  const { t } = useTexts();
  const [first, ...others] = columns;
  return (
    <Paper withBorder data-rows tabIndex={-1} style={{ overflowX: "auto" }}>
      <Table
        aria-label={label}
        verticalSpacing="sm"
        horizontalSpacing="md"
        highlightOnHover
        highlightOnHoverColor="var(--surface-quiet)"
      >
        <Table.Thead bg="var(--surface-quiet)">
          <Table.Tr>
            {columns.map(({ key, title, align, width }) => (
              <Table.Th key={key} scope="col" ta={align ?? "left"} {...(width !== undefined && { w: width })}>
                {title}
              </Table.Th>
            ))}
            {actions && (
              <Table.Th w={56}>
                <VisuallyHidden>{t("actions")}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              <Table.Th scope="row" fw="inherit" ta={first.align ?? "left"}>
                {first.cell(row)}
              </Table.Th>
              {others.map(({ key, cell, align }) => (
                <Table.Td key={key} ta={align ?? "left"}>
                  {cell(row)}
                </Table.Td>
              ))}
              {actions && <Table.Td py={0}>{actions(row)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Cards<Row>({ label, columns, rows, rowKey, actions }: DataTableProps<Row>) {
  const [first, ...others] = columns;
  return (
    <Stack component="ul" aria-label={label} data-rows tabIndex={-1} gap="sm" p={0} m={0} style={{ listStyle: "none" }}>
      {rows.map((row) => (
        <Paper component="li" key={rowKey(row)} withBorder p="md">
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
            <div style={{ minWidth: 0, overflowWrap: "anywhere" }}>{first.cell(row)}</div>
            {actions?.(row)}
          </Group>
          <dl className="card-facts">
            {others.map(({ key, title, cell }) => (
              <Fact key={key} title={title}>
                {cell(row)}
              </Fact>
            ))}
          </dl>
        </Paper>
      ))}
    </Stack>
  );
}

/** Empty cells are left out. */
function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (children == null || children === false || children === "") return null;
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {title}
      </Text>
      <Text component="dd" size="sm">
        {children}
      </Text>
    </div>
  );
}
