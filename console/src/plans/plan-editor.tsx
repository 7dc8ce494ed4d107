import type { PlanInput } from "@hearback/sdk";
import {
  Button,
  Checkbox,
  Group,
  InputLabel,
  type InputWrapperProps,
  MultiSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { campaignQueries } from "../campaigns/queries.ts";
import { reviewQueries } from "../reviews/queries.ts";
import { teamQueries } from "../teams/queries.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { IntegerField } from "../ui/form/integer-field.tsx";
import { MetadataFields } from "../ui/form/metadata-fields.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { SearchableSelect } from "../ui/form/searchable-select.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Section } from "../ui/section.tsx";
import { isDuration, isShorterThanMin, type PlanForm, toPlanInput } from "./plan-form.ts";
import { PlanPreview } from "./plan-preview.tsx";
import classes from "./plans.module.css";
import { ReviewerFields } from "./reviewer-fields.tsx";
import { useTexts } from "./texts.ts";

const descriptionBelow = { inputWrapperOrder: ["label", "input", "description", "error"] } satisfies InputWrapperProps;

interface PlanEditorProps {
  readonly initial: PlanForm;
  /** Button label. */
  readonly action: string;
  readonly pending: boolean;
  readonly error: unknown;
  /** Page to go back to. */
  readonly cancelTo: string;
  readonly onSave: (plan: PlanInput) => void;
}

interface FieldsProps {
  readonly form: PlanForm;
  readonly onChange: (part: Partial<PlanForm>) => void;
}

/** The fields of a plan, and what it would draw. */
export function PlanEditor({ initial, action, pending, error, cancelTo, onSave }: PlanEditorProps) {
  const { t } = useTexts();
  const [form, setForm] = useState(initial);
  const change = (part: Partial<PlanForm>) => setForm((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const plan = toPlanInput(form);
    if (plan && !pending) onSave(plan);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <NameField
          label={t("name")}
          placeholder={t("nameHint")}
          maxLength={120}
          maw={480}
          value={form.name}
          onChange={(name) => change({ name })}
        />
        <CallsFields form={form} onChange={change} />
        <DrawFields form={form} onChange={change} />
        <ReviewFields form={form} onChange={change} />
        {error != null && <Problem error={error} />}
      </Stack>
      <div className={classes.bar}>
        <PlanPreview form={form} />
        <Group gap="sm" wrap="nowrap" justify="flex-end">
          <LinkButton to={cancelTo} variant="default">
            {t("cancel")}
          </LinkButton>
          <Button type="submit" loading={pending}>
            {action}
          </Button>
        </Group>
      </div>
    </form>
  );
}

/** Which calls can be drawn. */
function CallsFields({ form, onChange }: FieldsProps) {
  const { t } = useTexts();
  const { data: scorecards = [] } = useQuery(reviewQueries.scorecards);
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  const { data: teams = [] } = useQuery(teamQueries.list);
  const usable = scorecards.filter(({ latest_version, retired_at }) => latest_version !== null && retired_at === null);
  const chosen = scorecards.find(({ id }) => id === form.scorecardId);
  const possible = campaigns.filter(
    ({ id }) => !chosen || chosen.campaign_ids.length === 0 || chosen.campaign_ids.includes(id),
  );
  return (
    <Section title={t("callsTitle")} intro={t("callsIntro")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <SearchableSelect
          label={t("scorecard")}
          required
          placeholder={t("chooseScorecard")}
          nothingFoundMessage={t("noScorecards")}
          data={usable.map(({ id, name }) => ({ value: id, label: name }))}
          value={form.scorecardId}
          onChange={(scorecardId) => onChange({ scorecardId })}
        />
        <MultiSelect
          label={t("campaigns")}
          placeholder={form.campaignIds.length === 0 ? t("allCampaigns") : ""}
          searchable
          hidePickedOptions
          maxValues={200}
          nothingFoundMessage={t("nothingFound")}
          data={possible.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...form.campaignIds]}
          onChange={(campaignIds) => onChange({ campaignIds })}
        />
        <MultiSelect
          label={t("teams")}
          placeholder={form.teamIds.length === 0 ? t("allAgents") : ""}
          searchable
          hidePickedOptions
          maxValues={200}
          nothingFoundMessage={t("nothingFound")}
          data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          value={[...form.teamIds]}
          onChange={(teamIds) => onChange({ teamIds })}
        />
        <Group gap="md" align="flex-start" grow wrap="nowrap">
          <DurationField
            label={t("atLeast")}
            placeholder="0:30"
            value={form.minDuration}
            onChange={(minDuration) => onChange({ minDuration })}
          />
          <DurationField
            label={t("atMost")}
            placeholder="20:00"
            value={form.maxDuration}
            isWrong={isShorterThanMin(form)}
            onChange={(maxDuration) => onChange({ maxDuration })}
          />
        </Group>
      </SimpleGrid>
      <MetadataFields
        metadata={form.metadata}
        max={10}
        named
        detail={t("metadataDetail")}
        onChange={(metadata) => onChange({ metadata })}
      />
    </Section>
  );
}

interface DurationFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isWrong?: boolean;
  readonly onChange: (value: string) => void;
}

function DurationField({ label, placeholder, value, isWrong = false, onChange }: DurationFieldProps) {
  const { t } = useTexts();
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      maxLength={10}
      value={value}
      error={!isDuration(value) ? t("durationWrong") : isWrong && t("durationShorter")}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** How many calls are drawn, and when. */
function DrawFields({ form, onChange }: FieldsProps) {
  const { t } = useTexts();
  const zones = useMemo(
    () => [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", form.timeZone])],
    [form.timeZone],
  );
  return (
    <Section title={t("drawTitle")} intro={t("drawIntro")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <IntegerField
          label={t("perAgent")}
          required
          min={1}
          max={50}
          value={form.perAgent}
          onChange={(perAgent) => onChange({ perAgent })}
        />
        <div>
          <InputLabel component="div" id="period">
            {t("period")}
          </InputLabel>
          <SegmentedControl
            fullWidth
            aria-labelledby="period"
            value={form.period}
            onChange={(period) => onChange({ period: period as PlanForm["period"] })}
            data={(["day", "week", "month"] as const).map((value) => ({ value, label: t(`period_${value}`) }))}
          />
        </div>
        <SearchableSelect
          label={t("timeZone")}
          description={t("timeZoneDetail")}
          {...descriptionBelow}
          required
          limit={80}
          nothingFoundMessage={t("nothingFound")}
          data={zones.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
          value={form.timeZone}
          onChange={(timeZone) => timeZone && onChange({ timeZone })}
        />
        <IntegerField
          label={t("monthlyLimit")}
          description={t("monthlyLimitDetail")}
          {...descriptionBelow}
          placeholder={t("noLimit")}
          min={1}
          max={500}
          value={form.monthlyLimit}
          onChange={(monthlyLimit) => onChange({ monthlyLimit })}
        />
        <IntegerField
          label={t("closeDelay")}
          description={t("closeDelayDetail")}
          {...descriptionBelow}
          required
          min={0}
          max={72}
          value={form.closeDelayHours}
          onChange={(closeDelayHours) => onChange({ closeDelayHours })}
        />
      </SimpleGrid>
    </Section>
  );
}

/** Who reviews the drawn calls, and until when. */
function ReviewFields({ form, onChange }: FieldsProps) {
  const { t } = useTexts();
  return (
    <Section title={t("reviewTitle")} intro={t("reviewIntro")}>
      <ReviewerFields reviewers={form.reviewers} onChange={(reviewers) => onChange({ reviewers })} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <IntegerField
          label={t("dueDaysField")}
          description={t("dueDaysDetail")}
          {...descriptionBelow}
          required
          min={1}
          max={60}
          value={form.dueDays}
          onChange={(dueDays) => onChange({ dueDays })}
        />
        <IntegerField
          label={t("secondPercent")}
          description={t("secondPercentDetail")}
          {...descriptionBelow}
          required
          min={0}
          max={20}
          value={form.secondPercent}
          onChange={(secondPercent) => onChange({ secondPercent })}
        />
      </SimpleGrid>
      <Checkbox
        label={t("skipTeamLead")}
        description={t("skipTeamLeadDetail")}
        checked={form.skipTeamLead}
        onChange={({ currentTarget }) => onChange({ skipTeamLead: currentTarget.checked })}
      />
    </Section>
  );
}
