import { Button, Divider, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { instantOf, wallTime } from "../../ui/time/zoned-time.ts";
import { useTexts } from "../texts.ts";
import { type Period, presets, presetTexts, toSpan } from "./period.ts";

interface PeriodFilterProps {
  readonly period: Period | undefined;
  /** Time zone of the reader. */
  readonly zone: string;
  readonly onChange: (period: Period | undefined) => void;
}

/** Presets, or a custom range in the reader's time zone. */
export function PeriodFilter({ period, zone, onChange }: PeriodFilterProps) {
  const { t } = useTexts();
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
      <OwnPeriod period={period} zone={zone} onChange={onChange} />
      <Text size="xs" c="dimmed">
        {t("inZone", { zone })}
      </Text>
    </Stack>
  );
}

function OwnPeriod({ period, zone, onChange }: PeriodFilterProps) {
  const { t } = useTexts();
  const span = period && toSpan(period, new Date());
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
  /** Empty: the whole day. */
  readonly time: string;
}

interface MomentProps {
  readonly label: string;
  readonly timeLabel: string;
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
  readonly error?: string | false | undefined;
}

// Native inputs: familiar, keyboard-friendly, and no extra code to load.
function Moment({ label, timeLabel, fields, onChange, error = false }: MomentProps) {
  return (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <TextInput
        type="date"
        max="9999-12-30"
        flex={1}
        label={label}
        error={error}
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

/** A range that ends at midnight shows the previous day as its last one. */
function toEndFields(at: Date | undefined, zone: string): Fields {
  const fields = toFields(at, zone);
  if (!at || fields.time !== "") return fields;
  return { date: toFields(new Date(at.getTime() - 1), zone).date, time: "" };
}

/** Without a time: start of the day, plus `daysLater` days. */
function fromFields({ date, time }: Fields, zone: string, daysLater: number): Date | undefined {
  const [year, month, day] = date.split("-").map(Number);
  if (!year || !month || !day) return undefined;
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const later = time === "" ? daysLater : 0;
  return instantOf({ year, month, day: day + later, hour, minute }, zone);
}
