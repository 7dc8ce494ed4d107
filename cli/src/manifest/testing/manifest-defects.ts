import { type Defective, good, header, inLine, json, whole } from "./defective.ts";

/** Invalid manifests and mappings. */
export const manifestDefects: Record<string, Defective> = {
  // The manifest as a whole.
  "a missing manifest": whole("manifest_missing", /path/, { options: { manifest: "/nowhere/calls.csv" } }),
  "an empty manifest": whole("manifest_empty", /Export it again/, { manifest: "" }),
  "a manifest of empty lines": whole("manifest_empty", /header line/, { manifest: "\n\r\n\n" }),
  "a spreadsheet": whole("manifest_is_spreadsheet", /CSV UTF-8/, { manifest: Buffer.from("PK\x03\x04\x14\0\x06\0") }),
  "an old spreadsheet": whole("manifest_is_spreadsheet", /Save as/, {
    manifest: Buffer.from("d0cf11e0a1b11ae1", "hex"),
  }),
  "a compressed manifest": whole("manifest_not_text", /decompress/, { manifest: Buffer.from("1f8b0800000000", "hex") }),
  "UTF-16 without a byte order mark": whole("manifest_encoding_unknown", /UTF-8/, {
    manifest: Buffer.from(`${header}\n${good}\n`, "utf16le"),
  }),
  "a JSON array": whole("manifest_json_array", /jq/, { manifest: `[${json({})}]`, name: "calls.json" }),
  "both a manifest and a pattern": whole("manifest_and_pattern", /one or the other/, {
    row: good,
    options: { pattern: "{time}.wav" },
  }),
  "no header": whole("header_missing", /header line/, { manifest: `${good}\n${good}\n` }),
  "a header without rows": whole("header_only", /Export it again/, { manifest: `${header}\r\n\r\n` }),
  "a repeated column name": whole("header_repeated", /unique name/, { manifest: `${header},site\n${good},Paris\n` }),
  "a column name with a control character": whole("control_characters", /Remove/, {
    manifest: `${header},si\x01te2\n${good},x\n`,
  }),
  "too many columns": whole("header_too_wide", /Remove unneeded/, {
    manifest: `${header}${",x".repeat(1000)}\n`,
  }),
  "no column for the file": whole("column_missing", /--map file=/, {
    manifest: "x,agent_email,time,campaign\na,b,c,d\n",
  }),
  "no column for the agent": whole("column_missing", /--map agent_email=/, {
    manifest: "file,x,time,campaign\na,b,c,d\n",
  }),
  "no column for the time": whole("column_missing", /--map time=/, {
    manifest: "file,agent_email,x,campaign\na,b,c,d\n",
  }),
  "no column for the campaign": whole("campaign_missing", /--campaign/, {
    manifest: "file,agent_email,time,x\na,b,c,d\n",
  }),
  "two columns for the file": whole("column_ambiguous", /--map 'file=recording'/, {
    manifest: "recording,filename,agent_email,time,campaign\na,b,c,d,e\n",
  }),
  "separate date and time columns": whole("column_ambiguous", /\{date\} \{time\}/, {
    manifest: "file,agent_email,date,time,campaign\na,b,c,d,e\n",
  }),
  "an email column that may be the customer's": whole("column_ambiguous", /--map 'agent_email=email'/, {
    manifest: "file,agent,email,time,campaign\na,b,c,d,e\n",
  }),
  "a value in a column without a name": inLine(3, "column_unnamed", /Name the column/, {
    manifest: `${header},\n${good},\n${good},?\n`,
  }),
  "a missing recordings folder": whole("recordings_missing", /--recordings/, {
    row: good,
    options: { recordings: "/nowhere" },
  }),
  // Mapping and pattern.
  "a mapping of a missing column": whole("mapping_column_missing", /file, agent_email, time/, {
    row: good,
    maps: ["time=start"],
  }),
  "an invalid template": whole("mapping_template_bad", /braces/, { row: good, maps: ["client={site"] }),
  "an invalid regular expression": whole("mapping_regex_bad", /Correct it/, {
    row: good,
    maps: ["client={site|/(/}"],
  }),
  "a field without a column": whole("mapping_invalid", /--map FIELD=COLUMN/, { row: good, maps: ["time"] }),
  "an unknown recipe": whole("recipe_unknown", /--mapping/, { row: good, recipe: "nothing-of-that-kind" }),
  "a missing mapping file": whole("mapping_missing", /--mapping/, {
    row: good,
    mappingFile: "/nowhere.json",
  }),
  "an invalid pattern": whole("pattern_bad", /\{agent_email\}/, {
    options: { manifest: undefined, pattern: "{agent_email_{time}.wav" },
  }),
  "a file name that does not match the pattern": inLine(1, "pattern_mismatch", /Rename/, {
    options: {
      manifest: undefined,
      pattern: "{agent_email}_{time:yyyyMMddHHmmss}.mp3",
      timeZone: "UTC",
      campaign: "x",
    },
    prepare: () => Promise.resolve(),
  }),
  "a file name that matches the pattern in two ways": inLine(1, "pattern_ambiguous", /manifest/, {
    options: {
      manifest: undefined,
      recordings: "two-ways",
      pattern: "{agent_email}_{time}_{client}.wav",
      campaign: "x",
    },
  }),
};
