import { Button, Group, MultiSelect, Paper, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { DayField } from "../ui/form/day-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { actionTexts, auditActions, isAuditAction } from "./actions.ts";
import { shortId } from "./actor.tsx";
import { type AuditSearch, isFiltered, isSubject } from "./filter.ts";
import { type Named, type Names, useStaff } from "./names.ts";
import { subjectKinds } from "./subjects.ts";
import { useTexts } from "./texts.ts";

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly names: Names;
  readonly onChange: (change: Partial<AuditSearch>) => void;
  readonly onClear: () => void;
}

export function AuditFilters({ search, names, onChange, onClear }: AuditFiltersProps) {
  const { t } = useTexts();
  const { zone } = useFormat();
  const day = (name: "from" | "to") => (
    <DayField label={t(name)} day={search[name]} onChange={(chosen) => onChange({ [name]: chosen })} />
  );
  return (
    <Paper withBorder p="md" component="section" aria-label={t("filters")}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
          <ActorFilter search={search} names={names} onChange={onChange} />
          <MultiSelect
            label={t("action")}
            placeholder={search.action.length === 0 ? t("actionAny") : ""}
            searchable
            clearable
            maxValues={20}
            data={auditActions.map((action) => ({ value: action, label: t(actionTexts(action).label) }))}
            value={[...search.action]}
            onChange={(action) => onChange({ action: action.filter(isAuditAction) })}
          />
          {day("from")}
          {day("to")}
        </SimpleGrid>
        <SubjectFilter key={search.subject ?? ""} subject={search.subject} onChange={onChange} />
        <Group justify="space-between" gap="xs" mih={26}>
          <Text size="sm" c="dimmed">
            {t("zone", { zone })}
          </Text>
          {isFiltered(search) && (
            <Button size="compact-sm" variant="subtle" onClick={onClear} leftSection={<Icon name="close" size={14} />}>
              {t("clear")}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

type FilterProps = Pick<AuditFiltersProps, "search" | "names" | "onChange">;

function ActorFilter({ search, names, onChange }: FilterProps) {
  const { t } = useTexts();
  const staff = useStaff();
  const options = (things: readonly Named[]) => things.map(({ id, name }) => ({ value: id, label: name }));
  const { who } = search;
  const listed = [...staff, ...names.keys].some(({ id }) => id === who);
  // A user from the URL or one who was erased stays visible, so the filter can be removed.
  const other = who && !listed ? [{ value: who, label: names.user(who) ?? shortId(who) }] : [];
  return (
    <Select
      label={t("who")}
      placeholder={t("whoAny")}
      searchable
      clearable
      data={[
        { group: t("people"), items: [...options(staff), ...other] },
        { group: t("keys"), items: options(names.keys) },
      ]}
      value={who ?? null}
      onChange={(id) => onChange({ who: id ?? undefined })}
    />
  );
}

interface SubjectFilterProps {
  readonly subject: string | undefined;
  readonly onChange: AuditFiltersProps["onChange"];
}

function SubjectFilter({ subject, onChange }: SubjectFilterProps) {
  const { t } = useTexts();
  const [chosenKind = "", chosenId = ""] = subject?.split(/:(.*)/s) ?? [];
  const [kind, setKind] = useState<string | null>(chosenKind || null);
  const [id, setId] = useState(chosenId);
  const apply = (of: string | null, with_: string) => {
    const wanted = of && with_.trim() ? `${of}:${with_.trim()}` : undefined;
    if (wanted !== subject) onChange({ subject: wanted });
  };
  const wrong = kind && id.trim() && !isSubject(`${kind}:${id.trim()}`);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply(kind, id);
      }}
    >
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
        <Select
          label={t("subjectKind")}
          placeholder={t("subjectAny")}
          clearable
          data={Object.entries(subjectKinds).map(([value, { label }]) => ({ value, label: t(label) }))}
          value={kind}
          onChange={(value) => {
            setKind(value);
            apply(value, id);
          }}
        />
        <TextInput
          label={t("subjectId")}
          maxLength={200}
          disabled={!kind}
          spellCheck={false}
          error={wrong && t("subjectIdWrong")}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          onBlur={() => apply(kind, id)}
        />
      </SimpleGrid>
    </form>
  );
}
