import { Input, SimpleGrid } from "@mantine/core";
import { LanguageChoice } from "../../ui/form/language-choice.tsx";
import { ThemeChoice } from "../../ui/form/theme-choice.tsx";
import { useTexts as useUiTexts } from "../../ui/texts.ts";
import { ZoneChoice } from "./zone-choice.tsx";

/** Preferences stored in this browser. */
export function PreferenceFields() {
  const ui = useUiTexts();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <Input.Wrapper label={ui.t("language")} labelElement="div">
        <LanguageChoice fullWidth />
      </Input.Wrapper>
      <Input.Wrapper label={ui.t("colours")} labelElement="div">
        <ThemeChoice fullWidth />
      </Input.Wrapper>
      <ZoneChoice />
    </SimpleGrid>
  );
}
