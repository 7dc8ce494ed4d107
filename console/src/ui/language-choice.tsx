import { SegmentedControl, type SegmentedControlProps } from "@mantine/core";
import { changeLanguage, type Language } from "../i18n/texts.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { writePreferences } from "./preferences.ts";
import { tellProblem } from "./tell.tsx";

/** The language of the console, kept for this browser. Each is called by its own name: whoever reads it, reads it. */
export function LanguageChoice(props: Omit<SegmentedControlProps, "data" | "value" | "onChange">) {
  const { t, language } = useTexts("ui");
  const choose = (chosen: Language) => {
    writePreferences({ language: chosen });
    changeLanguage(chosen).catch(() => tellProblem(t("problemPart")));
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
