import type { Finding } from "./finding.ts";

/** All finding codes, explained in docs/importing.md. A code never changes its meaning. */
export const findingCodes = [
  // The manifest as a whole.
  "manifest_missing",
  "manifest_empty",
  "manifest_is_spreadsheet",
  "manifest_not_text",
  "manifest_encoding_unknown",
  "manifest_encoding_guessed",
  "manifest_json_array",
  "manifest_changed",
  "manifest_and_pattern",
  "header_missing",
  "header_only",
  "header_repeated",
  "header_too_wide",
  "column_missing",
  "column_ambiguous",
  "column_unnamed",
  "recordings_missing",
  // Mapping and pattern.
  "mapping_missing",
  "mapping_invalid",
  "mapping_column_missing",
  "mapping_template_bad",
  "mapping_regex_bad",
  "recipe_unknown",
  "pattern_bad",
  "pattern_mismatch",
  "pattern_ambiguous",
  // Rows.
  "row_too_few_cells",
  "row_too_many_cells",
  "row_too_long",
  "quote_unclosed",
  "quote_misplaced",
  "json_broken",
  "json_not_object",
  "json_value_nested",
  "json_number_inexact",
  "text_broken",
  "control_characters",
  "duplicate_row",
  // Recordings.
  "file_name_missing",
  "file_missing",
  "file_name_differs",
  "file_absolute",
  "file_outside",
  "file_is_url",
  "file_is_folder",
  "file_special",
  "file_unreadable",
  "file_empty",
  "file_without_audio",
  "file_too_large",
  "file_not_audio",
  "file_truncated",
  "file_named_twice",
  "file_without_row",
  // Agents.
  "agent_missing",
  "agent_not_email",
  "agent_needs_agents_file",
  "agent_not_in_agents_file",
  "agent_unknown",
  "agent_other_role",
  "agent_name_missing",
  "agent_name_too_long",
  "agent_name_differs",
  "agents_too_many",
  "agents_file_missing",
  "agents_file_wrong",
  "agents_file_doubled",
  // Times.
  "time_missing",
  "time_format_missing",
  "time_format_bad",
  "time_format_mismatch",
  "time_impossible",
  "time_zone_missing",
  "time_zone_unknown",
  "time_in_gap",
  "time_ambiguous",
  "time_in_future",
  "time_too_early",
  "time_in_milliseconds",
  "time_excel_serial",
  // Campaigns.
  "campaign_missing",
  "campaign_too_long",
  "campaign_unknown",
  "campaigns_too_many",
  // Metadata.
  "metadata_too_many",
  "metadata_key_too_long",
  "metadata_value_too_long",
  "metadata_too_large",
  // Quotas.
  "quota_calls",
  "quota_bytes",
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** A problem with its fix, without its line. */
export interface Defect {
  readonly code: FindingCode;
  readonly detail: string;
  readonly fix: string;
  readonly column?: string | undefined;
}

export const isDefect = (value: object): value is Defect => "code" in value && "fix" in value;

/** A finding about the whole manifest. */
export const manifestFinding = (defect: Defect, level: Finding["level"] = "error"): Finding => ({
  ...defect,
  level,
  line: undefined,
});

/** The manifest, mapping or agents file is invalid. Nothing was imported. */
export class ManifestError extends Error {
  override name = "ManifestError";
  readonly findings: readonly Finding[];

  constructor(defects: readonly Defect[]) {
    super(defects.map(({ detail, fix }) => `${detail} ${fix}`).join("\n"));
    this.findings = defects.map((defect) => manifestFinding(defect));
  }
}

/** Quotes a value for a message: escapes control characters and truncates long values. */
export const quote = (value: string): string =>
  JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value).replace(
    /[\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
