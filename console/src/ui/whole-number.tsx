import { TextInput, type TextInputProps } from "@mantine/core";

interface WholeNumberProps extends Omit<TextInputProps, "value" | "onChange" | "type" | "min" | "max"> {
  readonly min: number;
  readonly max: number;
  /** Absent: the field is empty. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** A field for a whole number. What is too small or too large is said by the browser when the form is sent. */
export function WholeNumber({ value, onChange, ...field }: WholeNumberProps) {
  return (
    <TextInput
      {...field}
      type="number"
      step={1}
      // Scrolling over it would change it, unseen.
      onWheel={({ currentTarget }) => currentTarget.blur()}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? undefined : currentTarget.valueAsNumber)}
    />
  );
}
