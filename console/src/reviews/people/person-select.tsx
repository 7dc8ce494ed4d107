import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../texts.ts";
import { nameQueries, useNames } from "./names.ts";

interface PersonSelectProps {
  readonly label: string;
  /** Only agents. */
  readonly agents?: boolean;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Finds a user by name or email address. */
export function PersonSelect({ label, agents = false, value, onChange }: PersonSelectProps) {
  const { t } = useTexts();
  const [typed, setTyped] = useState("");
  const names = useNames(value ? [value] : []);
  const chosenName = value && names.user(value);
  // The name of the chosen user is shown in the field, and is no search.
  const [words] = useDebouncedValue(typed === chosenName ? "" : typed.trim(), 200);
  const { data: found = [] } = useQuery(nameQueries.search(words, agents ? "agent" : undefined));
  const others = found.filter(({ id }) => id !== value).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label={label}
      placeholder={t("any")}
      searchable
      clearable
      maxLength={100}
      nothingFoundMessage={t("nobodyFound")}
      data={value ? [{ value, label: chosenName || "…" }, ...others] : others}
      // The server searches.
      filter={({ options }) => options}
      onSearchChange={setTyped}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
}
