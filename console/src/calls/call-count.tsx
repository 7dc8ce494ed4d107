import type { CallFilter } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts.ts";
import { useFormat } from "../ui/use-format.ts";
import { callQueries } from "./queries.ts";

/** How many calls match: counted, or about. */
export function CallCount({ filter }: { readonly filter: CallFilter }) {
  const { t } = useTexts("calls");
  const format = useFormat();
  const { data } = useQuery(callQueries.count(filter));
  const text = data && (data.exact ? t("count", words(data.count)) : t("countAbout", words(roughly(data.count))));
  function words(count: number) {
    return { count, number: format.number(count) };
  }
  return (
    <Text size="sm" c="dimmed" miw={90} aria-live="polite" className="tabular">
      {text}
    </Text>
  );
}

/** Two digits that mean something: the rest would only look exact. */
export function roughly(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.round(count / unit) * unit;
}
