import { Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { clock } from "../../ui/time/use-format.ts";
import { useTexts } from "../texts.ts";
import { parseDuration } from "./parse-duration.ts";

interface DurationFilterProps {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly onChange: (min: number | undefined, max: number | undefined) => void;
}

const written = (seconds: number | undefined) => (seconds === undefined ? "" : clock(seconds * 1000));

/** Duration range, debounced. */
export function DurationFilter({ min, max, onChange }: DurationFilterProps) {
  const { t } = useTexts();
  const [from, setFrom] = useState(written(min));
  const [to, setTo] = useState(written(max));
  const isWrong = (text: string) => text.trim() !== "" && parseDuration(text) === undefined;
  const applyDebounced = useDebouncedCallback(
    (a: string, b: string) => {
      if (!isWrong(a) && !isWrong(b)) onChange(parseDuration(a), parseDuration(b));
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
          applyDebounced(event.currentTarget.value, to);
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
          applyDebounced(from, event.currentTarget.value);
        }}
      />
      <Text size="xs" c="dimmed">
        {t("durationDetail")}
      </Text>
    </Stack>
  );
}
