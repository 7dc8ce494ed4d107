import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTexts } from "./texts.ts";

/** Same limits as the server. */
const length = { min: 12, max: 200 };

interface PasswordFieldProps
  extends Omit<PasswordInputProps, "value" | "onChange" | "minLength" | "maxLength" | "autoComplete"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether this field sets a new password. */
  readonly choosing?: boolean;
}

/** Password input with a visibility toggle. A new password shows how many characters are missing. */
export function PasswordField({ value, onChange, choosing = false, ...props }: PasswordFieldProps) {
  const { t } = useTexts();
  const left = length.min - value.length;
  const hint = value && left > 0 ? t("passwordShort", { count: left }) : value ? t("passwordLong") : t("passwordRule");
  return (
    <PasswordInput
      required
      withAsterisk={false}
      maxLength={length.max}
      {...(choosing && { minLength: length.min, description: hint, inputWrapperOrder: choosingOrder })}
      autoComplete={choosing ? "new-password" : "current-password"}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const choosingOrder = [
  "label",
  "input",
  "description",
  "error",
] as const satisfies PasswordInputProps["inputWrapperOrder"];
