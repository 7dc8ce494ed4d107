import { Group, Select, Text } from "@mantine/core";
import { useMemo, useSyncExternalStore } from "react";
import { onPreferences, writePreferences } from "../../preferences.ts";
import { chosenZone } from "../../ui/time/reader-zone.ts";
import { useTexts } from "../texts.ts";

const chosen = () => chosenZone() ?? "";
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zone for displayed times: the browser's or another one. */
export function ZoneChoice() {
  const { t, language } = useTexts();
  const zone = useSyncExternalStore(onPreferences, chosen);
  const zones = useMemo(
    () => [
      { value: "", label: t("zoneOfBrowser", { zone: readableZone(browserZone()) }) },
      ...[...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"])].map((value) => ({
        value,
        label: readableZone(value),
      })),
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
const readableZone = (zone: string) => zone.replaceAll("_", " ").replaceAll("/", " / ");

/** Current UTC offset, for example "UTC+2". */
function offsetOf(timeZone: string, language: string): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "shortOffset" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
