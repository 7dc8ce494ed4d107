import { SegmentedControl, type SegmentedControlProps } from "@mantine/core";
import { changeLanguage, type Language } from "../../i18n/language.ts";
import { writePreferences } from "../../preferences.ts";
import { toastProblem } from "../feedback/toast.tsx";
import { useTexts } from "../texts.ts";

/** Language choice, stored in this browser. Each language is listed in its own name. */
export function LanguageChoice(props: Omit<SegmentedControlProps, "data" | "value" | "onChange">) {
  const { t, language } = useTexts();
  const choose = (chosen: Language) => {
    writePreferences({ language: chosen });
    changeLanguage(chosen).catch(() => toastProblem(t("problemPart")));
  };
  return (
    <SegmentedControl
      {...props}
      aria-label={t("language")}
      value={language}
      onChange={(value) => choose(value as Language)}
      data={[
        { value: "en", label: <span lang="en">English</span> },
        { value: "fr", label: <span lang="fr">Français</span> },
      ]}
    />
  );
}
