import { Button, Divider, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { momentOf, wallTime } from "../ui/zoned-time.ts";
import { type Period, presets, presetTexts, spanOf } from "./period.ts";

interface PeriodFilterProps {
  readonly period: Period | undefined;
  /** The reader's. */
  readonly zone: string;
  readonly onChange: (period: Period | undefined) => void;
}

/** The usual days with one press, or any two moments, by the reader's clock. */
export function PeriodFilter({ period, zone, onChange }: PeriodFilterProps) {
  const { t } = useTexts("calls");
  return (
    <Stack gap="xs">
      <Stack gap={2} role="group" aria-label={t("period")}>
        {presets.map((preset) => (
          <Button
            key={preset}
            size="sm"
            {...(period?.preset === preset
              ? { variant: "light" }
              : { variant: "subtle", c: "var(--mantine-color-text)" })}
            fw={500}
            px="xs"
            justify="flex-start"
            aria-pressed={period?.preset === preset}
            onClick={() => onChange({ preset, zone })}
          >
            {t(presetTexts[preset])}
          </Button>
        ))}
      </Stack>
      <Divider />
      <OwnPeriod {...{ period, zone, onChange }} />
      <Text size="xs" c="dimmed">
        {t("inZone", { zone })}
      </Text>
    </Stack>
  );
}

function OwnPeriod({ period, zone, onChange }: PeriodFilterProps) {
  const { t } = useTexts("calls");
  const span = period && spanOf(period, new Date());
  const [from, setFrom] = useState(() => toFields(span?.from, zone));
  const [to, setTo] = useState(() => toEndFields(span?.to, zone));
  const start = fromFields(from, zone, 0);
  const end = fromFields(to, zone, 1);
  const wrong = start && end && start >= end;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wrong) onChange(start || end ? { from: start, to: end } : undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Moment label={t("from")} timeLabel={t("fromTime")} fields={from} onChange={setFrom} />
        <Moment
          label={t("to")}
          timeLabel={t("toTime")}
          fields={to}
          onChange={setTo}
          error={wrong && t("periodWrong")}
        />
        <Button type="submit" size="sm" variant="light" disabled={Boolean(wrong)}>
          {t("apply")}
        </Button>
      </Stack>
    </form>
  );
}

interface Fields {
  readonly date: string;
  /** Absent: the whole day. */
  readonly time: string;
}

interface MomentProps {
  readonly label: string;
  readonly timeLabel: string;
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
  readonly error?: string | false | undefined;
}

// The browser's own fields: known to its reader, quick at the keyboard, and nothing to fetch.
function Moment({ label, timeLabel, fields, onChange, error = false }: MomentProps) {
  return (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <TextInput
        type="date"
        max="9999-12-30"
        flex={1}
        {...{ label, error }}
        value={fields.date}
        onChange={(event) => onChange({ ...fields, date: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        aria-label={timeLabel}
        w={104}
        value={fields.time}
        onChange={(event) => onChange({ ...fields, time: event.currentTarget.value })}
      />
    </Group>
  );
}

const two = (value: number) => String(value).padStart(2, "0");

function toFields(at: Date | undefined, zone: string): Fields {
  if (!at) return { date: "", time: "" };
  const { year, month, day, hour, minute } = wallTime(at, zone);
  const time = hour === 0 && minute === 0 ? "" : `${two(hour)}:${two(minute)}`;
  return { date: `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`, time };
}

/** A period that ends at midnight has the day before as its last one. */
function toEndFields(at: Date | undefined, zone: string): Fields {
  const fields = toFields(at, zone);
  if (!at || fields.time !== "") return fields;
  return { date: toFields(new Date(at.getTime() - 1), zone).date, time: "" };
}

/** Without a time: the beginning of the day, or of the day so many days later. */
function fromFields({ date, time }: Fields, zone: string, daysLater: number): Date | undefined {
  const [year, month, day] = date.split("-").map(Number);
  if (!year || !month || !day) return undefined;
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const later = time === "" ? daysLater : 0;
  return momentOf({ year, month, day: day + later, hour, minute }, zone);
}
