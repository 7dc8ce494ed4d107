import { Checkbox, Stack, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../texts.ts";
import styles from "./filters.module.css";

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

interface CheckboxListProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Search text, for long lists. */
  readonly words?: string;
  readonly onWords?: (words: string) => void;
  readonly max: number;
  /** Shown instead of an empty list: a skeleton or an error. */
  readonly instead?: ReactNode;
}

/** Checkbox list with optional search. */
export function CheckboxList({ label, choices, chosen, onChange, words, onWords, max, instead }: CheckboxListProps) {
  const { t } = useTexts();
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <Stack gap="xs">
      {onWords && (
        <TextInput
          aria-label={t("chip", { name: t("find"), value: label })}
          placeholder={t("find")}
          maxLength={100}
          value={words ?? ""}
          onChange={(event) => onWords(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <fieldset aria-label={label} className={styles.choices}>
        {choices.map(({ value, label: name, detail }) => (
          <Checkbox
            key={value}
            label={name}
            description={detail}
            checked={chosen.includes(value)}
            disabled={chosen.length >= max && !chosen.includes(value)}
            onChange={() => toggle(value)}
          />
        ))}
        {choices.length === 0 &&
          (instead ?? (
            <Text size="sm" c="dimmed">
              {t("nothingFound")}
            </Text>
          ))}
      </fieldset>
    </Stack>
  );
}
