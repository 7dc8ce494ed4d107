import type { TranscriptionUsageBody } from "@hearback/sdk";
import { Progress, Table, Text } from "@mantine/core";
import { useFormat } from "../ui/time/use-format.ts";
import { useTexts } from "./texts.ts";

/** Days that are listed. */
const mostDays = 14;

/** Minutes of speech that were transcribed, by day, newest first. */
export function TranscriptionUsage({ usage }: { readonly usage: TranscriptionUsageBody }) {
  const { t } = useTexts();
  const { number, date } = useFormat();
  const { days, quota_minutes: quota } = usage;
  const shown = days.slice(0, mostDays);
  const most = Math.max(quota ?? 0, ...shown.map(({ minutes }) => minutes), 1);
  return (
    <div className="scroll-x">
      <Table maw={560} verticalSpacing={6} fz="sm" aria-label={t("usage")}>
        <Table.Caption>
          {quota === null ? t("usageCaption") : t("usageCaptionQuota", { quota: number(quota) })}
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("usageDay")}</Table.Th>
            <Table.Th ta="end">{t("usageCalls")}</Table.Th>
            <Table.Th ta="end">{t("usageMinutes")}</Table.Th>
            <Table.Td w="40%" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ day, calls, minutes }) => (
            <Table.Tr key={day}>
              {/* At noon UTC, a day has the same date in most time zones. */}
              <Table.Th scope="row" fw={400} className="nowrap">
                {date(`${day}T12:00:00Z`)}
              </Table.Th>
              <Table.Td ta="end" className="tabular">
                {number(calls)}
              </Table.Td>
              <Table.Td ta="end" className="tabular">
                {number(Math.round(minutes))}
              </Table.Td>
              <Table.Td>
                <Progress.Root size="sm" aria-hidden="true">
                  <Progress.Section value={(100 * minutes) / most} withAria={false} />
                </Progress.Root>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {days.length > mostDays && (
        <Text size="xs" c="dimmed">
          {t("usageMore", { days: mostDays })}
        </Text>
      )}
    </div>
  );
}
