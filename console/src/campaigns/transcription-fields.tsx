import type { CampaignBody, Masking } from "@hearback/sdk";
import { Alert, Checkbox, NativeSelect, Radio, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Icon } from "../ui/icon.tsx";
import { workspaceQueries } from "../workspace/queries.ts";
import { useTexts } from "./texts.ts";

export type Transcription = Pick<CampaignBody, "transcription_language" | "masking" | "erase_masked_originals">;

interface TranscriptionFieldsProps {
  /** As it is stored. */
  readonly before: Transcription;
  readonly value: Transcription;
  readonly onChange: (value: Transcription) => void;
  /** Only administrators change these. */
  readonly mayChange: boolean;
}

/** Languages to choose from. Others are set over the API. */
const languages = [
  ...["en", "fr", "de", "es", "it", "nl", "pt", "pl", "ro", "cs", "sk", "hu", "sv", "da", "nb", "fi", "el", "bg", "hr"],
  ...["uk", "ru", "tr", "ar", "he", "hi", "id", "vi", "th", "ja", "ko", "zh"],
];
const maskings: readonly Masking[] = ["off", "text", "text_and_sound"];

/** Language and masking of transcripts. */
export function TranscriptionFields({ before, value, onChange, mayChange }: TranscriptionFieldsProps) {
  const { t, language: reader } = useTexts();
  const workspace = useQuery({ ...workspaceQueries.workspace, enabled: mayChange });
  const { transcription_language: language, masking, erase_masked_originals: erases } = value;
  const choices = useMemo(() => languageChoices(reader, language), [reader, language]);
  const isOff = language !== null && workspace.data?.settings.transcription === false;
  return (
    <>
      <NativeSelect
        label={t("transcription")}
        description={mayChange ? t("transcriptionDetail") : t("transcriptionNotYours")}
        disabled={!mayChange}
        data={[{ value: "", label: t("transcriptionNone") }, ...choices]}
        value={language ?? ""}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange({ ...value, transcription_language: chosen === "" ? null : chosen })
        }
      />
      {isOff && (
        <Text size="sm" c="dimmed">
          {t("transcriptionOff")}
        </Text>
      )}
      <Radio.Group
        label={t("masking")}
        description={t("maskingDetail")}
        value={masking}
        onChange={(chosen) => {
          const next = maskings.find((each) => each === chosen) ?? masking;
          onChange({ ...value, masking: next, erase_masked_originals: next === "text_and_sound" && erases });
        }}
      >
        <Stack mt="xs" gap="sm">
          {maskings.map((each) => (
            <Radio
              key={each}
              value={each}
              disabled={!mayChange}
              label={t(`masking_${each}`)}
              description={t(`maskingDetail_${each}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {masking === "text_and_sound" && (
        <Checkbox
          label={t("eraseOriginals")}
          description={t("eraseOriginalsDetail")}
          disabled={!mayChange}
          checked={erases}
          onChange={({ currentTarget }) => onChange({ ...value, erase_masked_originals: currentTarget.checked })}
        />
      )}
      {erases && !before.erase_masked_originals && (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t("eraseOriginalsTitle")}>
          <Stack gap="sm">
            <Text size="sm">{t("eraseOriginalsWarning")}</Text>
            <Checkbox required label={t("retentionUnderstood")} />
          </Stack>
        </Alert>
      )}
    </>
  );
}

function languageChoices(reader: string, current: string | null) {
  const names = new Intl.DisplayNames(reader, { type: "language" });
  const known = current === null ? languages : [...new Set([...languages, current])];
  return known
    .map((value) => ({ value, label: capital(names.of(value) ?? value, reader) }))
    .sort((a, b) => a.label.localeCompare(b.label, reader));
}

const capital = (name: string, language: string) => name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
