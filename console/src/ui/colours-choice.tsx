import {
  type MantineColorScheme,
  SegmentedControl,
  type SegmentedControlProps,
  useMantineColorScheme,
} from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";

/** Light, dark, or as the system has it; kept for this browser. */
export function ColoursChoice(props: Omit<SegmentedControlProps, "data" | "value" | "onChange">) {
  const { t } = useTexts("ui");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      {...props}
      aria-label={t("colours")}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
      data={[
        { value: "light", label: t("light") },
        { value: "dark", label: t("dark") },
        { value: "auto", label: t("system") },
      ]}
    />
  );
}
