import type { CallDetailBody } from "@hearback/sdk";
import { Alert, Stack, Text } from "@mantine/core";
import { Icon } from "../../ui/icon.tsx";
import { type TextKey, useTexts } from "../texts.ts";

const known: Readonly<Record<string, TextKey>> = {
  channels_identical: "warningChannelsIdentical",
  side_silent: "warningSideSilent",
  nothing_but_silence: "warningNothingButSilence",
  cut_short: "warningCutShort",
  damaged: "warningDamaged",
  channels_mixed: "warningChannelsMixed",
  preparation_delayed: "warningPreparationDelayed",
};

export function CallWarnings({ warnings }: Pick<CallDetailBody, "warnings">) {
  const { t } = useTexts();
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
