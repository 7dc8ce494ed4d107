import { Input, SimpleGrid } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { ColoursChoice } from "../ui/colours-choice.tsx";
import { LanguageChoice } from "../ui/language-choice.tsx";
import { ZoneChoice } from "./zone-choice.tsx";

/** How things are shown in this browser. */
export function PreferenceFields() {
  const ui = useTexts("ui");
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <Input.Wrapper label={ui.t("language")} labelElement="div">
        <LanguageChoice fullWidth />
      </Input.Wrapper>
      <Input.Wrapper label={ui.t("colours")} labelElement="div">
        <ColoursChoice fullWidth />
      </Input.Wrapper>
      <ZoneChoice />
    </SimpleGrid>
  );
}
