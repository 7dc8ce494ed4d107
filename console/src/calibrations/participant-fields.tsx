import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { nameQueries } from "../reviews/people/names.ts";
import { maxParticipants } from "./session-form.ts";
import { useTexts } from "./texts.ts";

interface ParticipantFieldProps {
  readonly value: readonly string[];
  /** Users who cannot be chosen, because they take part already. */
  readonly without?: readonly string[];
  readonly label: string;
  readonly onChange: (ids: readonly string[]) => void;
}

/** Reviewers, supervisors and administrators. */
export function ParticipantField({ value, without = [], label, onChange }: ParticipantFieldProps) {
  const { t } = useTexts();
  const { data: staff = [] } = useQuery(nameQueries.staff);
  const people = staff.filter(({ id, status }) => status !== "deactivated" && !without.includes(id));
  return (
    <MultiSelect
      label={label}
      description={t("participantsDetail")}
      inputWrapperOrder={["label", "input", "description", "error"]}
      placeholder={value.length === 0 ? t("choosePeople") : ""}
      searchable
      hidePickedOptions
      maxValues={maxParticipants - without.length}
      nothingFoundMessage={t("nobodyFound")}
      data={people.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...value]}
      onChange={onChange}
    />
  );
}

interface ExpertFieldProps {
  readonly participantIds: readonly string[];
  readonly value: string | null;
  readonly nameOf: (id: string) => string;
  readonly onChange: (id: string | null) => void;
}

/** A participant whom the others are compared with. */
export function ExpertField({ participantIds, value, nameOf, onChange }: ExpertFieldProps) {
  const { t } = useTexts();
  return (
    <Select
      label={t("expert")}
      description={t("expertDetail")}
      inputWrapperOrder={["label", "input", "description", "error"]}
      placeholder={t("noExpert")}
      clearable
      searchable
      nothingFoundMessage={t("nobodyFound")}
      data={participantIds.map((id) => ({ value: id, label: nameOf(id) }))}
      value={value !== null && participantIds.includes(value) ? value : null}
      onChange={onChange}
    />
  );
}
