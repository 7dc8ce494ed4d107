import type { CallFilter } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useFormat } from "../ui/time/use-format.ts";
import { callQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Number of matching calls, exact or estimated. */
export function CallCount({ filter }: { readonly filter: CallFilter }) {
  const { t } = useTexts();
  const format = useFormat();
  const { data } = useQuery(callQueries.count(filter));
  const text = data && (data.exact ? t("count", words(data.count)) : t("countAbout", words(roundEstimate(data.count))));
  function words(count: number) {
    return { count, number: format.number(count) };
  }
  return (
    <Text size="sm" c="dimmed" miw={90} aria-live="polite" className="tabular">
      {text}
    </Text>
  );
}

/** Rounds an estimate to two significant digits. */
export function roundEstimate(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.round(count / unit) * unit;
}
