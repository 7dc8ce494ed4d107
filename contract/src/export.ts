import { z } from "zod";
import { SearchCallsParameters, SearchCallsQuery } from "./call-search.ts";
import { metadataLimits } from "./calls.ts";

export const exportFormats = ["csv", "jsonl"] as const;

const separators = { comma: ",", semicolon: ";" } as const;
const aBoolean = z.enum(["true", "false"], "must be true or false").transform((value) => value === "true");
const wrongFormat = "must be csv or jsonl";

/** What every export is told beside what to export. */
export const exportOptions = {
  format: z.enum(exportFormats, wrongFormat),
  bom: aBoolean.default(false),
  separator: z
    .enum(["comma", "semicolon"], "must be comma or semicolon")
    .transform((name) => separators[name])
    .default(","),
};

const maxColumns = 50;

/** The names of metadata that get a column of their own. */
export const MetadataColumns = z
  .string("may be given once")
  .max(maxColumns * (metadataLimits.key + 1), "is too long")
  .transform((keys) => [...new Set(keys.split(",").filter(Boolean))])
  .pipe(z.array(z.string().max(metadataLimits.key)).max(maxColumns, `may name ${maxColumns} keys`))
  .default([]);

export const ExportFormat = z.enum(exportFormats).meta({
  description: "csv: RFC 4180 with a header row. jsonl: one JSON object on each line.",
});

/** The same as documented. */
export const exportParameters = {
  bom: z
    .boolean()
    .default(false)
    .meta({ description: "csv: begin with a byte order mark, by which Excel knows UTF-8." }),
  separator: z.enum(["comma", "semicolon"]).default("comma").meta({
    description: "csv: what stands between cells; semicolon where Excel expects it.",
  }),
};

const paging = { limit: true, after: true, count: true } as const;

/** Which calls, as a search says it, and how they are written. */
export const ExportCallsQuery = SearchCallsQuery.omit(paging).extend({
  ...exportOptions,
  metadata_columns: MetadataColumns,
});

/** The query as documented. */
export const ExportCallsParameters = z.object({
  format: ExportFormat,
  ...SearchCallsParameters.omit(paging).shape,
  metadata_columns: z.string().optional().meta({
    description: "csv: keys of metadata, with commas between them, that get a column of their own, `metadata.KEY`.",
    example: "client_phone,call_direction",
  }),
  ...exportParameters,
});
