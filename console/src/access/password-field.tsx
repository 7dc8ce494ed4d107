import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";

/** As the service has it. */
const length = { min: 12, max: 200 };

interface PasswordFieldProps
  extends Omit<PasswordInputProps, "value" | "onChange" | "minLength" | "maxLength" | "autoComplete"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether a password is chosen here, and not tried. */
  readonly choosing?: boolean;
}

/** A password; it can be looked at. Where one is chosen, it says how many characters are still needed. */
export function PasswordField({ value, onChange, choosing = false, ...props }: PasswordFieldProps) {
  const { t } = useTexts("access");
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
