import { NumberInput, Radio, Stack } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { useTexts } from "../texts.ts";
import { type CallFilters, reviewChoices } from "./call-filters.ts";

interface ReviewFilterProps {
  readonly filters: CallFilters;
  readonly onChange: (filters: CallFilters) => void;
}

/** Whether a call is reviewed, with which outcome and score. */
export function ReviewFilter({ filters, onChange }: ReviewFilterProps) {
  const { t } = useTexts();
  const texts = useReviewTexts();
  return (
    <Stack gap="md">
      <Radio.Group
        label={t("columnReview")}
        value={filters.review ?? "all"}
        onChange={(value) => onChange({ ...filters, review: reviewChoices.find((choice) => choice === value) })}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label={t("reviewAll")} />
          {reviewChoices.map((choice) => (
            <Radio key={choice} value={choice} label={texts[choice]} />
          ))}
        </Stack>
      </Radio.Group>
      {filters.review !== "none" && <ScoreRange filters={filters} onChange={onChange} />}
    </Stack>
  );
}

export function useReviewTexts(): Readonly<Record<(typeof reviewChoices)[number], string>> {
  const { t } = useTexts();
  return {
    none: t("reviewNone"),
    any: t("reviewAny"),
    passed: t("reviewPassed"),
    failed: t("reviewFailed"),
    not_scored: t("reviewNotScored"),
  };
}

const toScore = (value: string | number) => (value === "" ? undefined : Number(value));

/** Debounced. */
function ScoreRange({ filters, onChange }: ReviewFilterProps) {
  const { t } = useTexts();
  const [min, setMin] = useState<string | number>(filters.minScore ?? "");
  const [max, setMax] = useState<string | number>(filters.maxScore ?? "");
  const applyDebounced = useDebouncedCallback(
    (minScore: number | undefined, maxScore: number | undefined) => onChange({ ...filters, minScore, maxScore }),
    { delay: 500, flushOnUnmount: true },
  );
  const range = { min: 0, max: 100, decimalScale: 2, clampBehavior: "strict" } as const;
  return (
    <>
      <NumberInput
        {...range}
        label={t("scoreAtLeast")}
        value={min}
        onChange={(value) => {
          setMin(value);
          applyDebounced(toScore(value), toScore(max));
        }}
      />
      <NumberInput
        {...range}
        label={t("scoreAtMost")}
        value={max}
        onChange={(value) => {
          setMax(value);
          applyDebounced(toScore(min), toScore(value));
        }}
      />
    </>
  );
}
