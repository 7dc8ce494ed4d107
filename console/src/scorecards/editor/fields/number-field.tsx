import { TextInput, type TextInputProps } from "@mantine/core";

interface NumberFieldProps extends Omit<TextInputProps, "value" | "onChange" | "type"> {
  /** Absent: empty. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** Number input of a draft. The linter reports values that are not allowed. */
export function NumberField({ value, onChange, ...field }: NumberFieldProps) {
  return (
    <TextInput
      step="any"
      {...field}
      type="number"
      // Scrolling over the focused input would change its value.
      onWheel={({ currentTarget }) => currentTarget.blur()}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.valueAsNumber)}
    />
  );
}
