import { Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { teamQueries } from "../teams/queries.ts";
import { SearchableSelect } from "../ui/form/searchable-select.tsx";
import { Icon } from "../ui/icon.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { readPeopleFilter, statuses } from "./people-filter.ts";
import { roles } from "./rights.ts";
import { useTexts } from "./texts.ts";

export function PeopleFilters() {
  const { t } = useTexts();
  const { params, change } = useSearchParams();
  const { search = "", role, status, teamId } = readPeopleFilter(params);
  const [typed, setTyped] = useState(search);
  const asked = useRef(search);
  const look = useDebouncedCallback((wanted: string) => {
    asked.current = wanted.trim();
    change({ search: asked.current || undefined });
  }, 250);
  useEffect(() => {
    // Back navigation changes the search. An earlier search may arrive while more is typed.
    if (asked.current !== search) setTyped(search);
    asked.current = search;
  }, [search]);
  const type = (wanted: string) => {
    setTyped(wanted);
    look(wanted);
  };
  return (
    <Group gap="sm" align="flex-end" role="search">
      <TextInput
        type="search"
        label={t("search")}
        placeholder={t("searchPlaceholder")}
        maxLength={100}
        leftSection={<Icon name="search" size={16} />}
        style={{ flex: "1 1 220px", maxWidth: 360 }}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Select
        label={t("role")}
        w={160}
        allowDeselect={false}
        value={role ?? ""}
        onChange={(chosen) => change({ role: chosen || undefined })}
        data={[{ value: "", label: t("allRoles") }, ...roles.map((value) => ({ value, label: t(`role_${value}`) }))]}
      />
      <Select
        label={t("status")}
        w={160}
        allowDeselect={false}
        value={status ?? ""}
        onChange={(chosen) => change({ status: chosen || undefined })}
        data={[
          { value: "", label: t("allStatuses") },
          ...statuses.map((value) => ({ value, label: t(`status_${value}`) })),
        ]}
      />
      <TeamFilter teamId={teamId} onChange={(team) => change({ team })} />
    </Group>
  );
}

interface TeamFilterProps {
  readonly teamId: string | undefined;
  readonly onChange: (teamId: string | undefined) => void;
}

/** Hidden in workspaces without teams. */
function TeamFilter({ teamId, onChange }: TeamFilterProps) {
  const { t } = useTexts();
  const { data: teams = [] } = useQuery(teamQueries.list);
  // A deleted team in the URL stays visible, so that the filter can be removed.
  const unknown = teamId && !teams.some(({ id }) => id === teamId) ? [{ value: teamId, label: t("unknownTeam") }] : [];
  if (teams.length === 0 && !teamId) return null;
  return (
    <SearchableSelect
      label={t("team")}
      w={200}
      nothingFoundMessage={t("noTeamFound")}
      value={teamId ?? ""}
      onChange={(chosen) => onChange(chosen || undefined)}
      data={[
        { value: "", label: t("allTeams") },
        ...unknown,
        ...teams.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
