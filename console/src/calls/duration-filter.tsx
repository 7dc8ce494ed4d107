import { Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { clock } from "../ui/use-format.ts";
import { readClock } from "./read-clock.ts";

interface DurationFilterProps {
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly onChange: (least: number | undefined, most: number | undefined) => void;
}

const written = (seconds: number | undefined) => (seconds === undefined ? "" : clock(seconds * 1000));

/** How long a call lasts; takes effect when the hands rest. */
export function DurationFilter({ least, most, onChange }: DurationFilterProps) {
  const { t } = useTexts("calls");
  const [from, setFrom] = useState(written(least));
  const [to, setTo] = useState(written(most));
  const isWrong = (text: string) => text.trim() !== "" && readClock(text) === undefined;
  const settle = useDebouncedCallback(
    (a: string, b: string) => {
      if (!isWrong(a) && !isWrong(b)) onChange(readClock(a), readClock(b));
    },
    { delay: 500, flushOnUnmount: true },
  );
  return (
    <Stack gap="xs">
      <TextInput
        label={t("atLeast")}
        placeholder="0:30"
        maxLength={10}
        value={from}
        error={isWrong(from) && t("durationWrong")}
        onChange={(event) => {
          setFrom(event.currentTarget.value);
          settle(event.currentTarget.value, to);
        }}
      />
      <TextInput
        label={t("atMost")}
        placeholder="10:00"
        maxLength={10}
        value={to}
        error={isWrong(to) && t("durationWrong")}
        onChange={(event) => {
          setTo(event.currentTarget.value);
          settle(from, event.currentTarget.value);
        }}
      />
      <Text size="xs" c="dimmed">
        {t("durationDetail")}
      </Text>
    </Stack>
  );
}
