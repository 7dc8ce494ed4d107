import { SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { campaignQueries } from "../campaigns/queries.ts";
import { reviewQueries } from "../reviews/queries.ts";
import { teamQueries } from "../teams/queries.ts";
import { DayField } from "../ui/form/day-field.tsx";
import { movePeriod, periods, type ScoreSearch, selections } from "./filter.ts";
import classes from "./scores.module.css";
import { useTexts } from "./texts.ts";

type Change = (change: Readonly<Record<string, string | undefined>>) => void;

interface FilterProps {
  readonly search: ScoreSearch;
  readonly onChange: Change;
}

interface ScoreFiltersProps extends FilterProps {
  /** Whether to filter by selection. */
  readonly bySelection?: boolean;
}

export function ScoreFilters({ search, onChange, bySelection = true }: ScoreFiltersProps) {
  const { t } = useTexts();
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  const { data: teams = [] } = useQuery(teamQueries.list);
  const { data: scorecards = [] } = useQuery(reviewQueries.scorecards);
  const choice = (
    name: "campaign" | "team" | "scorecard",
    items: readonly { readonly id: string; readonly name: string }[],
  ) => (
    <Select
      label={t(name)}
      placeholder={t("any")}
      searchable
      clearable
      data={items.map(({ id, name: label }) => ({ value: id, label }))}
      value={search[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
    />
  );
  return (
    <search aria-label={t("filters")}>
      <Period search={search} onChange={onChange} />
      <div className={classes.filters}>
        <Dates search={search} onChange={onChange} />
        {choice("campaign", campaigns)}
        {(teams.length > 0 || search.team) && choice("team", teams)}
        {choice("scorecard", scorecards)}
        {bySelection && <Selection search={search} onChange={onChange} />}
      </div>
    </search>
  );
}

/** How the calls were selected. */
export function Selection({ search: { selection }, onChange }: FilterProps) {
  const { t } = useTexts();
  return (
    <Select
      label={t("selection")}
      placeholder={t("any")}
      clearable
      data={selections.map((value) => ({ value, label: t(`selection_${value}`) }))}
      value={selection ?? null}
      onChange={(value) => onChange({ selection: value ?? undefined })}
    />
  );
}

/** Weeks until today. */
export function Period({ search: { weeks }, onChange }: FilterProps) {
  const { t } = useTexts();
  return (
    <SegmentedControl
      aria-label={t("period")}
      size="xs"
      // No item is selected while the period is between dates.
      value={weeks ?? ""}
      onChange={(value) => onChange({ weeks: value === "12" ? undefined : value, from: undefined, to: undefined })}
      data={periods.map((value) => ({ value, label: t("weeks", { count: Number(value) }) }))}
    />
  );
}

function Dates({ search, onChange }: FilterProps) {
  const { t } = useTexts();
  const change = (day: { readonly from: string } | { readonly to: string }) =>
    onChange({ ...movePeriod(search, day), weeks: undefined });
  return (
    <>
      <DayField label={t("from")} day={search.from} onChange={(from) => from && change({ from })} />
      <DayField label={t("to")} day={search.to} onChange={(to) => to && change({ to })} />
    </>
  );
}
