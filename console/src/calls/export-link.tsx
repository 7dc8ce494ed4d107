import type { CallFilter } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { client } from "../client.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { type ColumnId, metadataKey } from "./columns.ts";

interface ExportLinkProps {
  readonly filter: CallFilter;
  readonly columnIds: readonly ColumnId[];
}

/** The calls that match as a file for a spreadsheet, with the metadata that is shown. */
export function ExportLink({ filter, columnIds }: ExportLinkProps) {
  const { t, language } = useTexts("calls");
  const metadataColumns = columnIds.flatMap((id) => metadataKey(id) ?? []).filter((key) => !key.includes(","));
  const href = client.calls.exportUrl({
    ...filter,
    ...{ format: "csv", bom: true, metadataColumns },
    // What a spreadsheet expects where the comma is part of a number.
    separator: language === "fr" ? "semicolon" : "comma",
  });
  return (
    <Button component="a" href={href} download variant="default" leftSection={<Icon name="download" />}>
      {t("export")}
    </Button>
  );
}
