import { Radio, Stack } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import type { Way } from "./queries.ts";

interface WayFieldProps {
  readonly ways: readonly Way[];
  /** Whether this installation sends mail. */
  readonly mail: boolean;
  readonly value: Way;
  readonly onChange: (way: Way) => void;
}

/** How somebody hears of their invitation. */
export function WayField({ ways, mail, value, onChange }: WayFieldProps) {
  const { t } = useTexts("users");
  return (
    <Radio.Group label={t("way")} value={value} onChange={(way) => onChange(way as Way)}>
      <Stack mt="xs" gap="sm">
        {ways.map((way) => (
          <Radio
            key={way}
            value={way}
            label={t(`way_${way}`)}
            description={way === "mail" && !mail ? t("wayNoMail") : t(`wayDetail_${way}`)}
            disabled={way === "mail" && !mail}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
