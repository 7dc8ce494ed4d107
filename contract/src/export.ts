import { z } from "zod";
import { metadataLimits } from "./calls.ts";
import { text } from "./text.ts";
import { Time } from "./time.ts";

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

export const ExportCallsQuery = z.object({
  ...exportOptions,
  metadata_columns: MetadataColumns,
  campaign: z
    .union([z.string(), z.array(z.string())])
    .transform((ids) => [...new Set([ids].flat())])
    .pipe(z.array(text(1, 100)).max(100, "may be given 100 times"))
    .optional(),
  from: Time.optional(),
  to: Time.optional(),
});
export type ExportCallsQuery = z.output<typeof ExportCallsQuery>;

/** The query as documented. */
export const ExportCallsParameters = z.object({
  format: ExportFormat,
  campaign: z
    .array(z.string().max(100))
    .max(100)
    .optional()
    .meta({ description: "Only calls of this campaign; may be repeated." }),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: "Conversations from this time on …" }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: "… and before this time." }),
  metadata_columns: z.string().optional().meta({
    description: "csv: keys of metadata, with commas between them, that get a column of their own, `metadata.KEY`.",
    example: "client_phone,call_direction",
  }),
  ...exportParameters,
});
