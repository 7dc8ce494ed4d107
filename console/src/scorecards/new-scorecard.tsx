import { Alert, Button, FileButton, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useLanguage } from "../i18n/folder-texts.ts";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { emptyDocument } from "./empty-document.ts";
import { ImportReport } from "./import/import-report.tsx";
import { maxFileBytes, type ScorecardFile } from "./import/read-scorecard-file.ts";
import classes from "./new-scorecard.module.css";
import { useCreateScorecard } from "./queries.ts";
import { type TextKey, useTexts } from "./texts.ts";

interface NewScorecardProps {
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

const starts = ["support", "sales", "collections", "empty", "file"] as const;
type Start = (typeof starts)[number];

const shown: Record<Start, { readonly title: TextKey; readonly detail: TextKey; readonly icon: IconName }> = {
  support: { title: "startSupport", detail: "startSupportDetail", icon: "headphones" },
  sales: { title: "startSales", detail: "startSalesDetail", icon: "chart" },
  collections: { title: "startCollections", detail: "startCollectionsDetail", icon: "clock" },
  empty: { title: "startEmpty", detail: "startEmptyDetail", icon: "file" },
  file: { title: "startFile", detail: "startFileDetail", icon: "upload" },
};

/** In the language of the template, not of the console. */
const templateNames = {
  support: { en: "Support call", fr: "Appel d’assistance" },
  sales: { en: "Sales call", fr: "Appel de vente" },
  collections: { en: "Collections call", fr: "Appel de recouvrement" },
} as const;

const isTemplate = (start: Start) => start !== "empty" && start !== "file";

/** Creates a scorecard from a template, from a file, or empty. */
export function NewScorecard({ onClose, onCreated }: NewScorecardProps) {
  const { t } = useTexts();
  const create = useCreateScorecard();
  const [start, setStart] = useState<Start>("support");
  const [language, setLanguage] = useState<"en" | "fr">(useLanguage());
  const [typed, setTyped] = useState<string>();
  const [file, setFile] = useState<ScorecardFile>();
  const suggested = isTemplate(start)
    ? templateNames[start][language]
    : start === "file" && file?.ok
      ? file.name
      : t("newName");
  const name = typed ?? suggested;
  const submit = () => {
    if (start === "file" && !file?.ok) return;
    const content = isTemplate(start)
      ? { template: start, language }
      : start === "file" && file?.ok
        ? { document: file.document }
        : { document: { ...emptyDocument, language } };
    create.mutate({ ...content, name: name.trim() }, { onSuccess: ({ id }) => onCreated(id) });
  };
  return (
    <DialogForm
      action={t("create")}
      pending={create.isPending}
      disabled={start === "file" && !file?.ok}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <fieldset className={classes.starts}>
        <legend>{t("startFrom")}</legend>
        {starts.map((each) => (
          <label key={each} className={classes.start}>
            <input
              type="radio"
              name="start"
              checked={start === each}
              onChange={() => setStart(each)}
              {...(each === start && { "data-autofocus": true })}
            />
            <Icon name={shown[each].icon} size={20} />
            <span>
              <Text span size="sm" fw={600} display="block">
                {t(shown[each].title)}
              </Text>
              <Text span size="xs" c="dimmed" display="block">
                {t(shown[each].detail)}
              </Text>
            </span>
          </label>
        ))}
      </fieldset>
      {isTemplate(start) && (
        <Group gap="sm">
          <Text size="sm" fw={500} id="template-language">
            {t("templateLanguage")}
          </Text>
          <SegmentedControl
            size="xs"
            aria-labelledby="template-language"
            value={language}
            onChange={(value) => setLanguage(value as "en" | "fr")}
            data={[
              { value: "en", label: <span lang="en">English</span> },
              { value: "fr", label: <span lang="fr">Français</span> },
            ]}
          />
        </Group>
      )}
      {start === "file" && <ChooseFile file={file} onRead={setFile} />}
      {(start !== "file" || file?.ok) && (
        <NameField label={t("name")} maxLength={120} autoComplete="off" value={name} onChange={setTyped} />
      )}
    </DialogForm>
  );
}

interface ChooseFileProps {
  readonly file: ScorecardFile | undefined;
  readonly onRead: (file: ScorecardFile) => void;
}

function ChooseFile({ file, onRead }: ChooseFileProps) {
  const { t } = useTexts();
  const [fileName, setFileName] = useState<string>();
  const read = async (chosen: File | null) => {
    if (!chosen) return;
    setFileName(chosen.name);
    if (chosen.size > maxFileBytes) return onRead({ ok: false, reason: "too_large" });
    const { readScorecardFile } = await import("./import/read-scorecard-file.ts");
    onRead(await readScorecardFile(await chosen.text()));
  };
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t("fileDetail")}
      </Text>
      <Group gap="sm">
        <FileButton accept="application/json,.json,.yaml,.yml" onChange={(chosen) => void read(chosen)}>
          {(button) => (
            <Button variant="default" size="sm" leftSection={<Icon name="folder" size={16} />} {...button}>
              {t("chooseFile")}
            </Button>
          )}
        </FileButton>
        {fileName && (
          <Text size="sm" className="breakable">
            {fileName}
          </Text>
        )}
      </Group>
      <div aria-live="polite">{file && <FileResult file={file} />}</div>
    </Stack>
  );
}

function FileResult({ file }: { readonly file: ScorecardFile }) {
  const { t } = useTexts();
  if (file.ok) return <ImportReport source={file.source} notes={file.notes} />;
  const first = file.reason === "invalid" ? file.problems.slice(0, 5) : [];
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t(`file_${file.reason}`)}>
      {first.length > 0 &&
        first.map(({ path, message, fix }) => (
          <Text key={`${path} ${message}`} size="sm" lang="en" className="breakable">
            {path && <code>{path} </code>}
            {message} {fix}
          </Text>
        ))}
    </Alert>
  );
}
