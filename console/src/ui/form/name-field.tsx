import { TextInput, type TextInputProps } from "@mantine/core";

interface NameFieldProps extends Omit<TextInputProps, "value" | "onChange" | "required" | "pattern"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Name input with the server's limits. Most names have up to 200 characters. */
export function NameField({ onChange, ...field }: NameFieldProps) {
  return (
    <TextInput
      maxLength={200}
      {...field}
      required
      pattern=".*\S.*"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
