import { NativeSelect } from "@mantine/core";
import { useTexts } from "../../texts.ts";

/** Files can have others, such as fr-CA. */
const languages = ["de", "en", "es", "fr", "it", "nl", "pt"];

interface LanguageFieldProps {
  readonly language: string | undefined;
  readonly onChange: (language: string | undefined) => void;
}

export function LanguageField({ language = "", onChange }: LanguageFieldProps) {
  const { t } = useTexts();
  const choices = [...new Set([...languages, ...(language === "" ? [] : [language])])];
  return (
    <NativeSelect
      label={t("language")}
      description={t("languageDetail")}
      w={200}
      value={language}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      data={[
        { value: "", label: t("languageNone") },
        ...choices.map((value) => ({ value, label: nameInItself(value) })),
      ]}
    />
  );
}

function nameInItself(code: string): string {
  try {
    return new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  } catch {
    // A code that the linter refuses.
    return code;
  }
}
