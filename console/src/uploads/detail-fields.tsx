import { Select } from "@mantine/core";
import { useMemo } from "react";
import type { Directory } from "./names/parse-file-name.ts";
import { useTexts } from "./texts.ts";

interface DetailFieldProps {
  readonly known: Directory;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly placeholder?: string;
  readonly description?: string;
}

/** Longer lists need a search. */
const shown = 50;

export function AgentField({ known, value, onChange, ...texts }: DetailFieldProps) {
  const { t } = useTexts();
  const data = useMemo(
    () => known.agents.map(({ email, name }) => ({ value: email, label: `${name} · ${email}` })),
    [known],
  );
  return (
    <Select
      label={t("agent")}
      data={data}
      {...texts}
      value={value ?? null}
      onChange={(email) => onChange(email ?? undefined)}
      searchable
      clearable
      limit={shown}
      nothingFoundMessage={t("noAgentFound")}
      clearButtonProps={{ "aria-label": t("clear") }}
    />
  );
}

export function CampaignField({ known, value, onChange, ...texts }: DetailFieldProps) {
  const { t } = useTexts();
  const data = useMemo(() => known.campaigns.map(({ id, name }) => ({ value: id, label: name })), [known]);
  return (
    <Select
      label={t("campaign")}
      data={data}
      {...texts}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchable
      clearable
      limit={shown}
      nothingFoundMessage={t("noCampaignFound")}
      clearButtonProps={{ "aria-label": t("clear") }}
    />
  );
}

const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];

interface ZoneFieldProps {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}

export function ZoneField({ value, onChange }: ZoneFieldProps) {
  const { t } = useTexts();
  return (
    <Select
      label={t("zone")}
      description={t("zoneDetail")}
      data={zones.includes(value) ? zones : [value, ...zones]}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      searchable
      allowDeselect={false}
      limit={shown}
      nothingFoundMessage={t("noZoneFound")}
    />
  );
}
