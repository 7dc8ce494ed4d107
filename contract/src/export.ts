import { z } from "zod";
import { SearchCallsQuery } from "./call-search.ts";
import { metadataLimits } from "./calls.ts";
import { booleanParameter, documentedAs } from "./page.ts";

export const exportFormats = ["csv", "jsonl"] as const;

const separators = { comma: ",", semicolon: ";" } as const;

/** Output options of every export. */
export const exportOptions = {
  format: z
    .enum(exportFormats, "must be csv or jsonl")
    .meta({ description: "csv: RFC 4180 with a header row. jsonl: one JSON object per line." }),
  bom: booleanParameter
    .default(false)
    .meta({ description: "csv: start with a byte order mark, so that Excel reads the file as UTF-8." }),
  separator: documentedAs(
    z.enum(["comma", "semicolon"], "must be comma or semicolon").transform((name) => separators[name]),
    { type: "string", enum: ["comma", "semicolon"], default: "comma" },
  )
    .default(",")
    .meta({ description: "csv: the field separator. Use semicolon for Excel in locales that expect it." }),
};

const maxColumns = 50;

/** Metadata keys exported as separate columns. */
export const MetadataColumns = z
  .string("must not be repeated")
  .max(maxColumns * (metadataLimits.key + 1), "is too long")
  .transform((keys) => [...new Set(keys.split(",").filter(Boolean))])
  .pipe(z.array(z.string().max(metadataLimits.key)).max(maxColumns, `must have at most ${maxColumns} keys`))
  .default([])
  .meta({
    description: "csv: comma-separated metadata keys to export as separate columns, named `metadata.KEY`.",
    example: "client_phone,call_direction",
  });

const paging = { limit: true, cursor: true, count: true } as const;

/** Search filters plus output options. */
export const ExportCallsQuery = SearchCallsQuery.omit(paging).extend({
  ...exportOptions,
  metadata_columns: MetadataColumns,
  transcripts: booleanParameter.default(false).meta({
    description:
      "true: also what was said, as a column `transcript` with text, or as a member `transcript` as in `GET /calls/{id}/transcript`. Empty or null: the call has none.",
  }),
});
