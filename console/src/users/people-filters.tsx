import { Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { roles } from "./rights.ts";
import { useTexts } from "./texts.ts";

const statuses = ["active", "invited", "deactivated"] as const;

/** Filters from the URL. */
export function usePeopleFilter() {
  const { params, choice } = useSearchParams();
  const search = typeof params.search === "string" ? params.search.trim().slice(0, 100) : "";
  const [role, status] = [choice("role", roles), choice("status", statuses)];
  return { ...(search && { search }), ...(role && { role }), ...(status && { status }) };
}

export function PeopleFilters() {
  const { t } = useTexts();
  const { change } = useSearchParams();
  const { search = "", role, status } = usePeopleFilter();
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
    </Group>
  );
}
