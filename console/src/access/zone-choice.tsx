import { Group, Select, Text } from "@mantine/core";
import { useMemo, useSyncExternalStore } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { onPreferences, writePreferences } from "../ui/preferences.ts";
import { chosenZone } from "../ui/reader-zone.ts";

const chosen = () => chosenZone() ?? "";
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone in which times are shown: the browser's, or any other. */
export function ZoneChoice() {
  const { t, language } = useTexts("access");
  const zone = useSyncExternalStore(onPreferences, chosen);
  const zones = useMemo(
    () => [
      { value: "", label: t("zoneOfBrowser", { zone: spoken(browserZone()) }) },
      ...[...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"])].map((value) => ({ value, label: spoken(value) })),
    ],
    [t],
  );
  return (
    <Select
      label={t("zone")}
      description={t("zoneDetail")}
      inputWrapperOrder={["label", "input", "description", "error"]}
      searchable
      allowDeselect={false}
      limit={80}
      maxDropdownHeight={280}
      nothingFoundMessage={t("zoneUnknown")}
      data={zones}
      value={zone}
      onChange={(value) => writePreferences({ zone: value || undefined })}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" gap="sm" flex={1}>
          <Text size="sm" truncate>
            {option.label}
          </Text>
          <Text size="xs" c="dimmed" className="tabular">
            {offsetOf(option.value || browserZone(), language)}
          </Text>
        </Group>
      )}
    />
  );
}

/** America/Argentina/Buenos_Aires → America / Argentina / Buenos Aires */
const spoken = (zone: string) => zone.replaceAll("_", " ").replaceAll("/", " / ");

/** How far it is from UTC today, such as "UTC+2" or "GMT+2", as the language says it. */
function offsetOf(timeZone: string, language: string): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "shortOffset" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
