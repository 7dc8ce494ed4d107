import { Button, Checkbox, Group, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { campaignQueries } from "../../campaigns/queries.ts";
import { teamQueries } from "../../teams/queries.ts";
import { DayField } from "../../ui/form/day-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PersonSelect } from "../people/person-select.tsx";
import { reviewQueries } from "../queries.ts";
import classes from "../reviews.module.css";
import { useTexts } from "../texts.ts";
import { furtherFilters, isFiltered, outcomes, type ReviewSearch, selections, states } from "./filter.ts";

interface ReviewFiltersProps {
  readonly search: ReviewSearch;
  readonly managed: boolean;
  readonly onChange: (change: Partial<ReviewSearch>) => void;
  readonly onClear: () => void;
}

type FilterProps = Pick<ReviewFiltersProps, "search" | "onChange">;

/** The most used filters in one row, the others below on demand. */
export function ReviewFilters({ search, managed, onChange, onClear }: ReviewFiltersProps) {
  const { t } = useTexts();
  const further = furtherFilters.filter((name) => search[name] !== undefined).length;
  const [opened, { toggle }] = useDisclosure(further > 0);
  const choice = (name: "state" | "outcome", label: string, data: readonly { value: string; label: string }[]) => (
    <Select
      label={label}
      placeholder={t("any")}
      clearable
      data={data}
      value={search[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
    />
  );
  return (
    <search aria-label={t("filters")}>
      <div className={classes.filters}>
        {choice(
          "state",
          t("state"),
          states.map((value) => ({ value, label: t(`state_${value}`) })),
        )}
        {choice(
          "outcome",
          t("outcome"),
          outcomes.map((value) => ({ value, label: t(`outcome_${value}`) })),
        )}
        <ScorecardFilter search={search} onChange={onChange} />
        <PersonSelect label={t("agent")} agents value={search.agent} onChange={(agent) => onChange({ agent })} />
        {opened && <FurtherFilters search={search} managed={managed} onChange={onChange} />}
        <Group gap="xs" data-buttons>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={opened}
            onClick={toggle}
            leftSection={<Icon name="filter" size={14} />}
          >
            {opened ? t("fewerFilters") : further > 0 ? t("moreFiltersCount", { number: further }) : t("moreFilters")}
          </Button>
          {isFiltered(search) && (
            <Button size="compact-sm" variant="subtle" onClick={onClear} leftSection={<Icon name="close" size={14} />}>
              {t("clearFilters")}
            </Button>
          )}
        </Group>
      </div>
    </search>
  );
}

function ScorecardFilter({ search, onChange }: FilterProps) {
  const { t } = useTexts();
  const { data: scorecards = [] } = useQuery(reviewQueries.scorecards);
  return (
    <Select
      label={t("scorecard")}
      placeholder={t("any")}
      searchable
      clearable
      data={withUnknown(
        scorecards.map(({ id, name }) => ({ value: id, label: name })),
        search.scorecard,
      )}
      value={search.scorecard ?? null}
      onChange={(scorecard) => onChange({ scorecard: scorecard ?? undefined })}
    />
  );
}

function FurtherFilters({ search, managed, onChange }: Omit<ReviewFiltersProps, "onClear">) {
  const { t } = useTexts();
  const { data: teams = [] } = useQuery(teamQueries.list);
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  const choice = (name: "campaign" | "team", items: readonly { readonly id: string; readonly name: string }[]) => (
    <Select
      label={t(name)}
      placeholder={t("any")}
      searchable
      clearable
      data={withUnknown(
        items.map(({ id, name: label }) => ({ value: id, label })),
        search[name],
      )}
      value={search[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
    />
  );
  return (
    <>
      {managed && (
        <PersonSelect label={t("reviewer")} value={search.reviewer} onChange={(reviewer) => onChange({ reviewer })} />
      )}
      {choice("campaign", campaigns)}
      {(teams.length > 0 || search.team) && choice("team", teams)}
      <Select
        label={t("selection")}
        placeholder={t("any")}
        clearable
        data={selections.map((value) => ({ value, label: t(`selection_${value}`) }))}
        value={search.selection ?? null}
        onChange={(value) => onChange({ selection: selections.find((one) => one === value) })}
      />
      <TextInput
        label={t("failedQuestion")}
        description={t("failedQuestionDetail")}
        maxLength={60}
        value={search.question ?? ""}
        onChange={({ currentTarget }) => onChange({ question: currentTarget.value || undefined })}
      />
      <DayField label={t("calledFrom")} day={search.calledFrom} onChange={(calledFrom) => onChange({ calledFrom })} />
      <DayField label={t("calledTo")} day={search.calledTo} onChange={(calledTo) => onChange({ calledTo })} />
      <DayField label={t("from")} day={search.from} onChange={(from) => onChange({ from })} />
      <DayField label={t("to")} day={search.to} onChange={(to) => onChange({ to })} />
      <Checkbox
        label={t("onlyDisputed")}
        checked={search.disputed === "yes"}
        onChange={({ currentTarget }) => onChange({ disputed: currentTarget.checked ? "yes" : undefined })}
      />
    </>
  );
}

/** A value of the URL that is not in the list stays visible, so that the filter can be removed. */
const withUnknown = (items: readonly { value: string; label: string }[], value: string | undefined) =>
  value === undefined || items.some((item) => item.value === value)
    ? [...items]
    : [...items, { value, label: value.slice(0, 8) }];
