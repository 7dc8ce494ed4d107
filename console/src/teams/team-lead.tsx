import type { TeamBody } from "@hearback/sdk";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast, toastProblem } from "../ui/feedback/toast.tsx";
import { useProblemText } from "../ui/feedback/use-problem-text.ts";
import { teamQueries, useSetLead } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Name of a user. Undefined while it is loaded. */
function useName(id: string | null): string | undefined {
  const { data: people } = useQuery(teamQueries.people);
  const known = people?.find((person) => person.id === id);
  const isMissing = id !== null && people !== undefined && !known;
  const { data: found } = useQuery({ ...teamQueries.person(id ?? ""), enabled: isMissing });
  return known?.name ?? found?.name;
}

/** Chooses who leads a team. Saved at once. */
export function TeamLead({ team }: { readonly team: TeamBody }) {
  const { t } = useTexts();
  const problemText = useProblemText();
  const save = useSetLead();
  const [typed, setTyped] = useState("");
  const { lead_id: leadId } = team;
  const name = useName(leadId);
  // The name of the chosen person is shown in the field, and is no search.
  const [words] = useDebouncedValue(typed === name ? "" : typed.trim(), 200);
  const { data: found = [] } = useQuery(teamQueries.search(words));
  const people = found
    .filter(({ id, status }) => id !== leadId && status !== "deactivated")
    .map((person) => ({ value: person.id, label: person.name }));
  const choose = (id: string | null) => {
    if (id === leadId) return;
    save.mutate(
      { id: team.id, leadId: id },
      {
        onSuccess: () => toast(t("leadSaved", { name: team.name })),
        onError: (error) => toastProblem(problemText(error)),
      },
    );
  };
  return (
    <Select
      aria-label={t("leadOf", { name: team.name })}
      placeholder={t("noLead")}
      searchable
      clearable
      maxLength={100}
      maw={260}
      nothingFoundMessage={t("nobodyFound")}
      data={leadId ? [{ value: leadId, label: name ?? "…" }, ...people] : people}
      // The server searches.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      value={leadId}
      onChange={choose}
    />
  );
}
