import type { ScorecardBody } from "@hearback/sdk";
import { Button, Group, SimpleGrid, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, Suspense, useState } from "react";
import { useSession } from "../access/queries.ts";
import { useNames } from "../reviews/people/names.ts";
import { reviewQueries } from "../reviews/queries.ts";
import { uuid } from "../search-params.ts";
import { BackLink } from "../ui/back-link.tsx";
import { NotAllowed } from "../ui/feedback/not-allowed.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { SearchableSelect } from "../ui/form/searchable-select.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { useSearchParams } from "../ui/use-search-params.ts";
import { ChosenCalls } from "./chosen-calls.tsx";
import { ExpertField, ParticipantField } from "./participant-fields.tsx";
import { useCreateSession } from "./queries.ts";
import { findProblem, maxCalls, type SessionForm, toSession } from "./session-form.ts";
import { SessionProblem } from "./session-problem.tsx";
import { useTexts } from "./texts.ts";

/** Not needed for the first paint. */
const CallPicker = lazyComponent(async () => (await import("./call-picker.tsx")).CallPicker);

/** Creates a session. `?call=` chooses calls, for links from other pages. */
export function NewSessionPage() {
  const { t } = useTexts();
  const { user } = useSession();
  const { params } = useSearchParams();
  const { data: scorecards, error, refetch } = useQuery(reviewQueries.scorecards);
  if (user.role === "agent" || user.role === "reviewer") return <NotAllowed />;
  const usable = scorecards?.filter(({ latest_version, retired_at }) => latest_version !== null && !retired_at);
  const callIds = [params.call ?? []].flat().filter((id) => uuid.test(id));
  return (
    <Stack gap="xs">
      <BackLink to="/calibrations">{t("title")}</BackLink>
      <Page title={t("createSession")} intro={t("createIntro")}>
        {usable ? (
          <NewSession scorecards={usable} callIds={[...new Set(callIds)]} />
        ) : error ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={480} />
        )}
      </Page>
    </Stack>
  );
}

interface NewSessionProps {
  readonly scorecards: readonly ScorecardBody[];
  readonly callIds: readonly string[];
}

function NewSession({ scorecards, callIds }: NewSessionProps) {
  const { t } = useTexts();
  const { zone } = useFormat();
  const navigate = useNavigate();
  const [form, setForm] = useState<SessionForm>({
    name: "",
    // The only scorecard is chosen already.
    scorecardId: scorecards.length === 1 ? (scorecards[0]?.id ?? null) : null,
    participantIds: [],
    expertId: null,
    dueDay: "",
    callIds,
  });
  const [isChecked, setChecked] = useState(false);
  const change = (part: Partial<SessionForm>) => setForm((before) => ({ ...before, ...part }));
  const create = useCreateSession(({ id }) => {
    toast(t("created"));
    void navigate({ to: "/calibrations/$id", params: { id } });
  });
  const problem = findProblem(form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const session = toSession(form, zone);
    if (session && !create.isPending) create.mutate(session);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SettingFields form={form} scorecards={scorecards} onChange={change} />
        <CallFields form={form} scorecards={scorecards} onChange={change} />
        {isChecked && problem && (
          <Text c="var(--mantine-color-error)" role="alert">
            {t(problem)}
          </Text>
        )}
        {create.error && <SessionProblem error={create.error} />}
        <Group justify="flex-end" gap="sm">
          <LinkButton to="/calibrations" variant="default">
            {t("cancel")}
          </LinkButton>
          <Button type="submit" loading={create.isPending}>
            {t("createSession")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly form: SessionForm;
  readonly scorecards: readonly ScorecardBody[];
  readonly onChange: (part: Partial<SessionForm>) => void;
}

function SettingFields({ form, scorecards, onChange }: FieldsProps) {
  const { t } = useTexts();
  const names = useNames(form.participantIds);
  return (
    <Section title={t("settings")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NameField
          label={t("name")}
          placeholder={t("nameHint")}
          maxLength={120}
          value={form.name}
          onChange={(name) => onChange({ name })}
        />
        <SearchableSelect
          label={t("scorecard")}
          required
          placeholder={t("chooseScorecard")}
          nothingFoundMessage={t("noScorecards")}
          data={scorecards.map(({ id, name }) => ({ value: id, label: name }))}
          value={form.scorecardId}
          onChange={(scorecardId) => onChange({ scorecardId })}
        />
        <ParticipantField
          label={t("participants")}
          value={form.participantIds}
          onChange={(participantIds) => onChange({ participantIds })}
        />
        <ExpertField
          participantIds={form.participantIds}
          value={form.expertId}
          nameOf={names.user}
          onChange={(expertId) => onChange({ expertId })}
        />
        <TextInput
          type="date"
          label={t("due")}
          description={t("dueDetail")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          max="9999-12-31"
          value={form.dueDay}
          onChange={({ currentTarget }) => onChange({ dueDay: currentTarget.value })}
        />
      </SimpleGrid>
    </Section>
  );
}

function CallFields({ form, scorecards, onChange }: FieldsProps) {
  const { t } = useTexts();
  const campaignIds = scorecards.find(({ id }) => id === form.scorecardId)?.campaign_ids ?? [];
  return (
    <Section title={t("callsCount", { number: form.callIds.length, max: maxCalls })} intro={t("callsIntro")}>
      <ChosenCalls
        ids={form.callIds}
        onRemove={(removed) => onChange({ callIds: form.callIds.filter((id) => id !== removed) })}
      />
      <Suspense fallback={<Skeleton height={240} />}>
        <CallPicker
          chosen={form.callIds}
          campaignIds={campaignIds}
          onAdd={(ids) => onChange({ callIds: [...new Set([...form.callIds, ...ids])] })}
        />
      </Suspense>
    </Section>
  );
}
