import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "../../ui/feedback/problem.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import { callQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { type CallFilters, limits, statuses, withEntry } from "./call-filters.ts";
import { CheckboxList } from "./checkbox-list.tsx";
import { DurationFilter } from "./duration-filter.tsx";
import { MetadataFilter } from "./metadata-filter.tsx";
import { PeriodFilter } from "./period-filter.tsx";
import { ReviewFilter } from "./review-filter.tsx";
import { SaidFilter } from "./said-filter.tsx";

export interface ContentsProps {
  readonly kind: "period" | "campaign" | "agent" | "status" | "duration" | "metadata" | "review" | "reviewer" | "said";
  readonly filters: CallFilters;
  readonly campaigns: ReadonlyMap<string, string>;
  readonly onChange: (filters: CallFilters) => void;
  readonly close: () => void;
}

/** Content of a filter menu. */
export function FilterContents({ kind, close, ...props }: ContentsProps) {
  const { filters, onChange } = props;
  const { zone } = useFormat();
  /** For single choices: applies the filter and closes the menu. */
  const applyAndClose = (next: CallFilters) => {
    close();
    onChange(next);
  };
  if (kind === "campaign") return <CampaignChoices {...props} />;
  if (kind === "agent") return <AgentChoices {...props} />;
  if (kind === "review") return <ReviewFilter {...props} />;
  if (kind === "reviewer") return <ReviewerChoices {...props} />;
  if (kind === "status") return <StatusChoices {...props} />;
  if (kind === "metadata") return <MetadataFilter onAdd={(entry) => applyAndClose(withEntry(filters, entry))} />;
  if (kind === "said") return <SaidFilter {...filters} onChange={(said) => applyAndClose({ ...filters, ...said })} />;
  if (kind === "period") {
    return (
      <PeriodFilter period={filters.period} zone={zone} onChange={(period) => applyAndClose({ ...filters, period })} />
    );
  }
  return (
    <DurationFilter
      min={filters.minDuration}
      max={filters.maxDuration}
      onChange={(min, max) => onChange({ ...filters, minDuration: min, maxDuration: max })}
    />
  );
}

function StatusChoices({ filters, onChange }: Pick<ContentsProps, "filters" | "onChange">) {
  const { t } = useTexts();
  const texts = { ready: t("statusReady"), received: t("statusReceived"), failed: t("statusFailed") };
  return (
    <CheckboxList
      label={t("columnStatus")}
      choices={statuses.map((value) => ({ value, label: texts[value] }))}
      chosen={filters.statuses}
      max={statuses.length}
      onChange={(chosen) => onChange({ ...filters, statuses: statuses.filter((status) => chosen.includes(status)) })}
    />
  );
}

function CampaignChoices({ filters, campaigns, onChange }: Omit<ContentsProps, "kind" | "close">) {
  const { t } = useTexts();
  const [words, setWords] = useState("");
  const has = (text: string) => text.toLowerCase().includes(words.trim().toLowerCase());
  const found = [...campaigns].filter(([id, name]) => has(id) || has(name) || filters.campaigns.includes(id));
  const shown = found.toSorted(
    ([a], [b]) => Number(filters.campaigns.includes(b)) - Number(filters.campaigns.includes(a)),
  );
  return (
    <CheckboxList
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
  const { t } = useTexts();
  return (
    <UserChoices
      label={t("columnAgent")}
      chosen={filters.agents}
      onChange={(agents) => onChange({ ...filters, agents })}
    />
  );
}

function ReviewerChoices({ filters, onChange }: Pick<ContentsProps, "filters" | "onChange">) {
  const { t } = useTexts();
  return (
    <UserChoices
      label={t("reviewer")}
      chosen={filters.reviewers}
      onChange={(reviewers) => onChange({ ...filters, reviewers })}
    />
  );
}

interface UserChoicesProps {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

function UserChoices({ label, chosen, onChange }: UserChoicesProps) {
  const [words, setWords] = useState("");
  const [debouncedWords] = useDebouncedValue(words.trim(), 200);
  const {
    data: found = [],
    error,
    refetch,
    isPending,
    isPlaceholderData,
  } = useQuery(callQueries.agents(debouncedWords));
  const instead = error ? (
    <Problem error={error} onRetry={() => void refetch()} />
  ) : isPending || isPlaceholderData ? (
    <LoadingRows rows={3} height={36} />
  ) : undefined;
  return (
    <CheckboxList
      label={label}
      choices={found.map(({ id, name, email }) => ({ value: id, label: name, detail: email }))}
      chosen={chosen}
      max={limits.values}
      onChange={onChange}
      instead={instead}
      words={words}
      onWords={setWords}
    />
  );
}
