import { Group, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../ui/time/use-format.ts";
import { endOfDay } from "../ui/time/zoned-time.ts";
import { useTexts } from "./texts.ts";

const lifetimes = [30, 90, 365] as const;
const dayMs = 86_400_000;

interface ExpiryFieldProps {
  readonly value: Date | null;
  /** null: never. undefined: no date chosen yet. */
  readonly onChange: (end: Date | null | undefined) => void;
}

export function ExpiryField({ value, onChange }: ExpiryFieldProps) {
  const { t } = useTexts();
  const { zone, date } = useFormat();
  const [choice, setChoice] = useState(value ? "day" : "never");
  const [day, setDay] = useState(value ? dayIn(value, zone) : "");
  const choose = (chosen: string) => {
    setChoice(chosen);
    if (chosen === "never") onChange(null);
    else if (chosen === "day") onChange(day ? endOfDay(day, zone) : undefined);
    else onChange(new Date(Date.now() + Number(chosen) * dayMs));
  };
  const chooseDay = (chosen: string) => {
    setDay(chosen);
    onChange(chosen ? endOfDay(chosen, zone) : undefined);
  };
  return (
    <Group align="flex-start" gap="sm" grow>
      <Select
        label={t("end")}
        description={
          choice === "never" ? t("endNeverDetail") : value ? t("endsOn", { date: date(value) }) : t("endDetail")
        }
        allowDeselect={false}
        value={choice}
        onChange={(chosen) => choose(chosen ?? "never")}
        data={[
          { value: "never", label: t("endNever") },
          ...lifetimes.map((days) => ({ value: String(days), label: t("endAfter", { count: days }) })),
          { value: "day", label: t("endDay") },
        ]}
      />
      {choice === "day" && (
        <TextInput
          type="date"
          label={t("endDayLabel")}
          description={t("endDayDetail", { zone })}
          required
          min={dayIn(new Date(), zone)}
          max="9999-12-31"
          value={day}
          onChange={(event) => chooseDay(event.currentTarget.value)}
        />
      )}
    </Group>
  );
}

/** Formats a date for a date input: "2026-11-15". */
const dayIn = (at: Date, zone: string) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(at);
