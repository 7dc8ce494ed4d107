import { Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNames } from "../audit/names.ts";
import { shortId } from "../audit/who.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import { privacyQueries } from "./queries.ts";

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const uuid = /[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/i;

/** A call by its id, or by the address of its page. */
export function CallField({ value, onChange }: FieldProps) {
  const { t } = useTexts("privacy");
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

/** A person, found by a part of the name or the address. The value is their id. */
export function PersonField({ value, onChange }: FieldProps) {
  const { t } = useTexts("privacy");
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const [label, setLabel] = useState("");
  // What stands in the field once somebody is chosen is no longer what is looked for.
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
      // The service has looked already.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t("looking") : t("nobody")}
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
  const { t } = useTexts("privacy");
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
