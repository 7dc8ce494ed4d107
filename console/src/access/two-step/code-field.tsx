import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTexts } from "./texts.ts";

interface CodeFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly recovery?: boolean;
}

/** Input for a code that is typed, pasted or autofilled. Takes the focus on mount. */
export function CodeField({ value, onChange, recovery = false, ...props }: CodeFieldProps) {
  const { t } = useTexts();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const form = recovery
    ? { label: t("recoveryCode"), description: t("recoveryDetail"), autoComplete: "off", maxLength: 40 }
    : {
        label: t("code"),
        description: t("codeDetail"),
        autoComplete: "one-time-code",
        maxLength: 10,
        inputMode: "numeric" as const,
        pattern: "[0-9 \\-]{6,10}",
      };
  return (
    <TextInput
      ref={field}
      required
      withAsterisk={false}
      spellCheck={false}
      className="tabular"
      {...form}
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
