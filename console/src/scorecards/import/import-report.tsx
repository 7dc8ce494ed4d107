import type { ImportNote } from "@hearback/scoring/import/report";
import { Alert, Text } from "@mantine/core";
import { Icon } from "../../ui/icon.tsx";
import classes from "../new-scorecard.module.css";
import { useTexts } from "../texts.ts";
import type { FileSource } from "./read-scorecard-file.ts";

interface ImportReportProps {
  readonly source: FileSource;
  readonly notes: readonly ImportNote[];
}

/** What has no equivalent in an imported form, and what was done instead. The importer writes these sentences in English. */
export function ImportReport({ source, notes }: ImportReportProps) {
  const { t } = useTexts();
  if (source === "hearback" || notes.length === 0)
    return (
      <Alert color="green" variant="light" icon={<Icon name="check" />}>
        {t(`source_${source}`)}
      </Alert>
    );
  return (
    <Alert color="orange" variant="light" icon={<Icon name="info" />} title={t(`source_${source}`)}>
      <Text size="sm">{t("noEquivalent", { count: notes.length })}</Text>
      <ul className={classes.notes} lang="en">
        {notes.map(({ where, what, instead }) => (
          <li key={`${where} ${what}`}>
            {what} <strong>{instead}</strong>
            {where && <code className="breakable"> {where}</code>}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
