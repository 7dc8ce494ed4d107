import { TextInput, type TextInputProps } from "@mantine/core";

interface IntegerFieldProps extends Omit<TextInputProps, "value" | "onChange" | "type" | "min" | "max"> {
  readonly min: number;
  readonly max: number;
  /** Absent: empty. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** Integer input. The browser validates the range on submit. */
export function IntegerField({ value, onChange, ...field }: IntegerFieldProps) {
  return (
    <TextInput
      {...field}
      type="number"
      step={1}
      // Scrolling over the focused input would change its value.
      onWheel={({ currentTarget }) => currentTarget.blur()}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.valueAsNumber)}
    />
  );
}
