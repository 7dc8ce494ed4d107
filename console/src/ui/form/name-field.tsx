import { TextInput, type TextInputProps } from "@mantine/core";

interface NameFieldProps extends Omit<TextInputProps, "value" | "onChange" | "required" | "maxLength" | "pattern"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Name input with the server's limits. */
export function NameField({ onChange, ...field }: NameFieldProps) {
  return (
    <TextInput
      {...field}
      required
      maxLength={200}
      pattern=".*\S.*"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
