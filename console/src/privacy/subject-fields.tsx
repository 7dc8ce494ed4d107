import { Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shortId } from "../audit/actor.tsx";
import { useNames } from "../audit/names.ts";
import { privacyQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const uuid = /[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/i;

/** Call by ID or URL. */
export function CallField({ value, onChange }: FieldProps) {
  const { t } = useTexts();
  return (
    <TextInput
      label={t("callId")}
      description={t("callIdDetail")}
      required
      maxLength={300}
      pattern=".*[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}.*"
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) =>
        onChange(uuid.exec(currentTarget.value)?.[0].toLowerCase() ?? currentTarget.value)
      }
    />
  );
}

/** User search by name or email address. The value is the user ID. */
export function PersonField({ value, onChange }: FieldProps) {
  const { t } = useTexts();
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const [label, setLabel] = useState("");
  // The label of the chosen option is not a search text.
  const { data = [], isFetching } = useQuery({
    ...privacyQueries.people(search === label ? "" : search),
    placeholderData: keepPreviousData,
  });
  const names = useNames(value ? [value] : []);
  const found = data.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }));
  const chosen = value && !found.some((one) => one.value === value);
  return (
    <Select
      label={t("agent")}
      description={t("agentDetail")}
      required
      searchable
      data={chosen ? [...found, { value, label: label || names.user(value) || shortId(value) }] : found}
      // Already filtered by the server.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t("searching") : t("noAgentFound")}
      value={value || null}
      onSearchChange={setTyped}
      onChange={(id, option) => {
        setLabel(option?.label ?? "");
        onChange(id ?? "");
      }}
    />
  );
}

interface CampaignFieldProps extends FieldProps {
  readonly campaigns: readonly { readonly id: string; readonly name: string }[];
}

export function CampaignField({ value, onChange, campaigns }: CampaignFieldProps) {
  const { t } = useTexts();
  return (
    <Select
      label={t("campaign")}
      required
      searchable
      data={campaigns.map(({ id, name }) => ({ value: id, label: name === id ? name : `${name} (${id})` }))}
      nothingFoundMessage={t("noCampaign")}
      value={value || null}
      onChange={(id) => onChange(id ?? "")}
    />
  );
}
