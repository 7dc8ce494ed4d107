import { SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useTexts } from "./texts.ts";

/** Whether form and preview fit beside each other. */
export const useIsWide = (): boolean => useMediaQuery("(min-width: 68em)", true, { getInitialValueInEffect: false });

interface PanelChoiceProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly data: readonly { readonly value: Value; readonly label: string }[];
}

/** Switches between the parts of the page that do not fit beside each other. */
export function PanelChoice<Value extends string>({ value, onChange, data }: PanelChoiceProps<Value>) {
  const { t } = useTexts();
  return (
    <SegmentedControl
      fullWidth
      mb="md"
      aria-label={t("showPart")}
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
      data={[...data]}
    />
  );
}
