import { Table } from "@mantine/core";
import { useFormat } from "../ui/time/use-format.ts";
import { dayText } from "./day-bars.tsx";
import type { Chart } from "./series.ts";
import { useTexts } from "./texts.ts";

export function DayTable({ chart: { days, series, totals } }: { readonly chart: Chart }) {
  const { t } = useTexts();
  const format = useFormat();
  const rows = days.map((day, at) => ({ day, at })).reverse();
  return (
    <Table aria-label={t("chart")} striped>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t("day")}</Table.Th>
          {series.map(({ id, name }) => (
            <Table.Th key={id} scope="col" ta="right">
              {name ?? t("others")}
            </Table.Th>
          ))}
          <Table.Th scope="col" ta="right">
            {t("all")}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody className="tabular">
        {rows.map(({ day, at }) => (
          <Table.Tr key={day}>
            <Table.Th scope="row" fw="inherit">
              {dayText(day, format.language, { weekday: "short", day: "numeric", month: "short" })}
            </Table.Th>
            {series.map(({ id, counts }) => (
              <Table.Td key={id} ta="right">
                {format.number(counts[at] ?? 0)}
              </Table.Td>
            ))}
            <Table.Td ta="right" fw={600}>
              {format.number(totals[at] ?? 0)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
