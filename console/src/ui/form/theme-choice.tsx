import {
  type MantineColorScheme,
  SegmentedControl,
  type SegmentedControlProps,
  useMantineColorScheme,
} from "@mantine/core";
import { useTexts } from "../texts.ts";

/** Light, dark or system theme, stored in this browser. */
export function ThemeChoice(props: Omit<SegmentedControlProps, "data" | "value" | "onChange">) {
  const { t } = useTexts();
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
