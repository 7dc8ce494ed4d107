import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { NameField } from "../ui/form/name-field.tsx";
import { SearchableSelect } from "../ui/form/searchable-select.tsx";
import { useFocusOnMount } from "../ui/use-focus-on-mount.ts";
import { teamQueries } from "./queries.ts";
import { maxTeamName, type TeamChoice } from "./team-choice.ts";
import { useTexts } from "./texts.ts";

interface TeamFieldProps {
  readonly value: TeamChoice;
  readonly onChange: (team: TeamChoice) => void;
  /** Focus it when the dialog opens. */
  readonly first?: boolean;
}

const none = "";
const newTeam = "new";

/** Team of a person. A new team is created when the form is saved. */
export function TeamField({ value, onChange, first = false }: TeamFieldProps) {
  const { t } = useTexts();
  const { data: teams = [] } = useQuery(teamQueries.list);
  const [typed, setTyped] = useState("");
  const create = { value: newTeam, label: t("newTeam") };
  const existing = [{ value: none, label: t("noTeam") }, ...teams.map(({ id, name }) => ({ value: id, label: name }))];
  // "New team…" stays in reach, but never comes before a match.
  const find = (search: string) => {
    const text = search.trim().toLowerCase();
    const matching = existing.filter(({ label }) => label.toLowerCase().includes(text));
    return text ? [...matching, create] : [create, ...matching];
  };
  const isNew = value !== null && typeof value === "object";
  const choose = (id: string | null) => {
    if (id !== newTeam) return onChange(id || null);
    // A name that was searched and not found becomes the name of the new team.
    onChange({ newName: existing.some(({ label }) => label === typed) ? "" : typed });
  };
  return (
    <>
      <SearchableSelect
        label={t("team")}
        data={[create, ...existing]}
        filter={({ search }) => find(search)}
        maxLength={maxTeamName}
        {...(first && { "data-autofocus": true })}
        onSearchChange={setTyped}
        value={isNew ? newTeam : (value ?? none)}
        onChange={choose}
      />
      {isNew && <NewTeamName value={value.newName} onChange={(newName) => onChange({ newName })} />}
    </>
  );
}

interface NewTeamNameProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

function NewTeamName(props: NewTeamNameProps) {
  const { t } = useTexts();
  const field = useFocusOnMount<HTMLInputElement>();
  return <NameField ref={field} label={t("newTeamName")} maxLength={maxTeamName} autoComplete="off" {...props} />;
}
