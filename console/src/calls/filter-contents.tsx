import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { LoadingRows } from "../ui/loading-rows.tsx";
import { Problem } from "../ui/problem.tsx";
import { useFormat } from "../ui/use-format.ts";
import { type CallFilters, limits, statuses, withEntry } from "./call-filters.ts";
import { Choices } from "./choices.tsx";
import { DurationFilter } from "./duration-filter.tsx";
import { MetadataFilter } from "./metadata-filter.tsx";
import { PeriodFilter } from "./period-filter.tsx";
import { callQueries } from "./queries.ts";

export interface ContentsProps {
  readonly kind: "period" | "campaign" | "agent" | "status" | "duration" | "metadata";
  readonly filters: CallFilters;
  readonly campaigns: ReadonlyMap<string, string>;
  readonly onChange: (filters: CallFilters) => void;
  readonly close: () => void;
}

/** What a menu of filters holds. */
export function FilterContents({ kind, close, ...props }: ContentsProps) {
  const { filters, onChange } = props;
  const { zone } = useFormat();
  /** Where one choice is all: the menu closes. */
  const settle = (next: CallFilters) => {
    close();
    onChange(next);
  };
  if (kind === "campaign") return <CampaignChoices {...props} />;
  if (kind === "agent") return <AgentChoices {...props} />;
  if (kind === "status") return <StatusChoices {...props} />;
  if (kind === "metadata") return <MetadataFilter onAdd={(entry) => settle(withEntry(filters, entry))} />;
  if (kind === "period") {
    return <PeriodFilter period={filters.period} zone={zone} onChange={(period) => settle({ ...filters, period })} />;
  }
  return (
    <DurationFilter
      least={filters.minDuration}
      most={filters.maxDuration}
      onChange={(least, most) => onChange({ ...filters, minDuration: least, maxDuration: most })}
    />
  );
}

function StatusChoices({ filters, onChange }: Pick<ContentsProps, "filters" | "onChange">) {
  const { t } = useTexts("calls");
  const texts = { ready: t("statusReady"), received: t("statusReceived"), failed: t("statusFailed") };
  return (
    <Choices
      label={t("columnStatus")}
      choices={statuses.map((value) => ({ value, label: texts[value] }))}
      chosen={filters.statuses}
      max={statuses.length}
      onChange={(chosen) => onChange({ ...filters, statuses: statuses.filter((status) => chosen.includes(status)) })}
    />
  );
}

function CampaignChoices({ filters, campaigns, onChange }: Omit<ContentsProps, "kind" | "close">) {
  const { t } = useTexts("calls");
  const [words, setWords] = useState("");
  const has = (text: string) => text.toLowerCase().includes(words.trim().toLowerCase());
  const found = [...campaigns].filter(([id, name]) => has(id) || has(name) || filters.campaigns.includes(id));
  const shown = found.toSorted(
    ([a], [b]) => Number(filters.campaigns.includes(b)) - Number(filters.campaigns.includes(a)),
  );
  return (
    <Choices
      label={t("columnCampaign")}
      choices={shown.slice(0, 50).map(([value, label]) => ({ value, label }))}
      chosen={filters.campaigns}
      max={limits.values}
      onChange={(chosen) => onChange({ ...filters, campaigns: chosen })}
      {...(campaigns.size > 8 && { words, onWords: setWords })}
    />
  );
}

function AgentChoices({ filters, onChange }: Pick<ContentsProps, "filters" | "onChange">) {
  const { t } = useTexts("calls");
  const [words, setWords] = useState("");
  const [settled] = useDebouncedValue(words.trim(), 200);
  const { data: found = [], error, refetch, isPending, isPlaceholderData } = useQuery(callQueries.agents(settled));
  const instead = error ? (
    <Problem error={error} onRetry={() => void refetch()} />
  ) : isPending || isPlaceholderData ? (
    <LoadingRows rows={3} height={36} />
  ) : undefined;
  return (
    <Choices
      label={t("columnAgent")}
      choices={found.map(({ id, name, email }) => ({ value: id, label: name, detail: email }))}
      chosen={filters.agents}
      max={limits.values}
      onChange={(chosen) => onChange({ ...filters, agents: chosen })}
      instead={instead}
      words={words}
      onWords={setWords}
    />
  );
}
