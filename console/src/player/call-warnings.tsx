import type { CallDetailBody } from "@hearback/sdk";
import { Alert, Stack, Text } from "@mantine/core";
import { type TextKey, useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";

const known: Readonly<Record<string, TextKey<"player">>> = {
  channels_identical: "warningChannelsIdentical",
  side_silent: "warningSideSilent",
  nothing_but_silence: "warningNothingButSilence",
  cut_short: "warningCutShort",
  damaged: "warningDamaged",
  channels_mixed: "warningChannelsMixed",
  preparation_delayed: "warningPreparationDelayed",
};

/** What to know before trusting what one hears. */
export function CallWarnings({ warnings }: Pick<CallDetailBody, "warnings">) {
  const { t } = useTexts("player");
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" variant="default" icon={<Icon name="warning" />} title={t("warnings")}>
      <Stack gap={4}>
        {warnings.map(({ code, detail, part }) => (
          <Text key={`${code} ${part}`} size="sm">
            {known[code] ? t(known[code]) : detail}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
