import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { isDay } from "../time/is-day.ts";

interface DayFieldProps {
  readonly label: string;
  readonly day: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

/** Date input that ignores incomplete values, such as the year 202 while typing 2026. */
export function DayField({ label, day, onChange }: DayFieldProps) {
  const [typed, setTyped] = useState(day ?? "");
  useEffect(() => setTyped(day ?? ""), [day]);
  return (
    <TextInput
      type="date"
      label={label}
      max="9999-12-31"
      value={typed}
      // Discard an incomplete value.
      onBlur={() => setTyped(day ?? "")}
      onChange={({ currentTarget: { value, validity } }) => {
        setTyped(value);
        if (isDay(value) || (value === "" && !validity.badInput)) onChange(value || undefined);
      }}
    />
  );
}
