import { Group, Radio, SimpleGrid, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { memo } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { DraftDocument, DraftSettings } from "../../draft/draft-document.ts";
import { changeSettings } from "../../draft/draft-operations.ts";
import { settingTexts } from "../../setting-texts.ts";
import { type TextKey, useTexts } from "../../texts.ts";
import classes from "../editor.module.css";
import { useEditor } from "../editor-context.ts";
import { LanguageField } from "./language-field.tsx";
import { NumberField } from "./number-field.tsx";

interface SettingsFieldsProps {
  readonly document: DraftDocument;
  readonly isOpen: boolean;
}

/** Settings of the scorecard: one line, or all fields. */
export const SettingsFields = memo(function SettingsFields({ document, isOpen }: SettingsFieldsProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const change = (part: Partial<DraftSettings>, about?: string) =>
    editor.apply((before) => changeSettings(before, part), about === undefined ? {} : { about });
  return (
    <section className={classes.section}>
      <button
        type="button"
        className={classes.settingsToggle}
        aria-expanded={isOpen}
        data-focus="settings"
        onClick={() => editor.open(isOpen ? null : "settings", "settings")}
      >
        <Icon name="settings" size={18} />
        <span className={classes.settingsTitle}>{t("settings")}</span>
        <span className={classes.settingsSummary}>{settingTexts(document, t).slice(0, 1)}</span>
        <Icon name={isOpen ? "chevronDown" : "chevronRight"} size={16} />
      </button>
      {isOpen && (
        <Stack gap="lg" className={classes.fields}>
          <TextInput
            label={t("name")}
            maxLength={120}
            value={document.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value }, "name")}
          />
          <Textarea
            label={t("description")}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={4000}
            value={document.description ?? ""}
            onChange={({ currentTarget }) => change({ description: currentTarget.value || undefined }, "description")}
          />
          <Group gap="md" align="flex-start">
            <NumberField
              label={t("passingScore")}
              description={t("passingScoreDetail")}
              min={0}
              max={100}
              w={200}
              value={document.passing_score}
              onChange={(passing_score) => change({ passing_score }, "passing_score")}
            />
            <LanguageField language={document.language} onChange={(language) => change({ language })} />
          </Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <Choice
              title="naTitle"
              value={document.not_applicable ?? "stays_in_section"}
              options={{ stays_in_section: "naStaysChoice", spreads_over_form: "naSpreadsChoice" }}
              onChange={(not_applicable) => change({ not_applicable })}
            />
            <Choice
              title="failTitle"
              value={document.fail ?? "zeroes_score"}
              options={{ zeroes_score: "failZeroesChoice", keeps_score: "failKeepsChoice" }}
              onChange={(fail) => change({ fail })}
            />
            <Choice
              title="releaseTitle"
              value={document.release ?? "on_submit"}
              options={{ on_submit: "releaseOnSubmitChoice", by_supervisor: "releaseBySupervisorChoice" }}
              onChange={(release) => change({ release })}
            />
            <Stack gap="sm">
              <NumberField
                label={t("disputeDays")}
                description={t("disputeDaysDetail")}
                min={0}
                max={365}
                step={1}
                placeholder="14"
                value={document.dispute_days}
                onChange={(dispute_days) => change({ dispute_days }, "dispute_days")}
              />
              <Switch
                label={t("disputeLevels")}
                checked={document.dispute_levels === 2}
                onChange={({ currentTarget }) => change({ dispute_levels: currentTarget.checked ? 2 : 1 })}
              />
            </Stack>
          </SimpleGrid>
        </Stack>
      )}
    </section>
  );
});

interface ChoiceProps<Value extends string> {
  readonly title: TextKey;
  readonly value: Value;
  readonly options: Readonly<Record<Value, TextKey>>;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ title, value, options, onChange }: ChoiceProps<Value>) {
  const { t } = useTexts();
  return (
    <Radio.Group label={t(title)} value={value} onChange={(chosen) => onChange(chosen as Value)}>
      <Stack gap={8} mt={8}>
        {Object.entries<TextKey>(options).map(([option, text]) => (
          <Radio key={option} value={option} label={t(text)} size="sm" />
        ))}
      </Stack>
    </Radio.Group>
  );
}
