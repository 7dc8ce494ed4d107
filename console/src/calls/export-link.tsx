import type { CallFilter } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { client } from "../client.ts";
import { Icon } from "../ui/icon.tsx";
import { type ColumnId, metadataKey } from "./table/columns.ts";
import { useTexts } from "./texts.ts";

interface ExportLinkProps {
  readonly filter: CallFilter;
  readonly columnIds: readonly ColumnId[];
}

/** Exports the matching calls as CSV, with the visible metadata columns. */
export function ExportLink({ filter, columnIds }: ExportLinkProps) {
  const { t, language } = useTexts();
  const metadataColumns = columnIds.flatMap((id) => metadataKey(id) ?? []).filter((key) => !key.includes(","));
  const href = client.calls.exportUrl({
    ...filter,
    format: "csv",
    bom: true,
    metadataColumns,
    // Separator that French spreadsheets expect.
    separator: language === "fr" ? "semicolon" : "comma",
  });
  return (
    <Button component="a" href={href} download variant="default" leftSection={<Icon name="download" />}>
      {t("export")}
    </Button>
  );
}
