import { type Defective, good, header, inLine, json, whole } from "./defective.ts";

/** Manifests and mappings that cannot be used. */
export const manifestDefects: Record<string, Defective> = {
  // The manifest as a whole.
  "a manifest that does not exist": whole("manifest_missing", /path/, { options: { manifest: "/nowhere/calls.csv" } }),
  "an empty manifest": whole("manifest_empty", /Export it again/, { manifest: "" }),
  "a manifest of empty lines": whole("manifest_empty", /names of the columns/, { manifest: "\n\r\n\n" }),
  "a spreadsheet": whole("manifest_is_spreadsheet", /CSV UTF-8/, { manifest: Buffer.from("PK\x03\x04\x14\0\x06\0") }),
  "an old spreadsheet": whole("manifest_is_spreadsheet", /Save as/, {
    manifest: Buffer.from("d0cf11e0a1b11ae1", "hex"),
  }),
  "a packed manifest": whole("manifest_not_text", /unpack/, { manifest: Buffer.from("1f8b0800000000", "hex") }),
  "UTF-16 without its mark": whole("manifest_encoding_unknown", /UTF-8/, {
    manifest: Buffer.from(`${header}\n${good}\n`, "utf16le"),
  }),
  "a JSON array": whole("manifest_json_array", /jq/, { manifest: `[${json({})}]`, name: "calls.json" }),
  "both a manifest and a pattern": whole("manifest_and_pattern", /one or the other/, {
    row: good,
    options: { pattern: "{time}.wav" },
  }),
  "no line with names": whole("header_missing", /names of the columns/, { manifest: `${good}\n${good}\n` }),
  "names and no rows": whole("header_only", /Export it again/, { manifest: `${header}\r\n\r\n` }),
  "a name twice": whole("header_repeated", /name of its own/, { manifest: `${header},site\n${good},Paris\n` }),
  "a name with a control character": whole("control_characters", /Remove/, {
    manifest: `${header},si\x01te2\n${good},x\n`,
  }),
  "more columns than anybody has": whole("header_too_wide", /Leave out/, {
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
  "a date and a time apart": whole("column_ambiguous", /\{date\} \{time\}/, {
    manifest: "file,agent_email,date,time,campaign\na,b,c,d,e\n",
  }),
  "an e-mail that may be the customer's": whole("column_ambiguous", /--map 'agent_email=email'/, {
    manifest: "file,agent,email,time,campaign\na,b,c,d,e\n",
  }),
  "a value in a column without a name": inLine(3, "column_unnamed", /Name the column/, {
    manifest: `${header},\n${good},\n${good},?\n`,
  }),
  "no folder of recordings": whole("recordings_missing", /--recordings/, {
    row: good,
    options: { recordings: "/nowhere" },
  }),
  // What the mapping says.
  "a mapped column that does not exist": whole("mapping_column_missing", /file, agent_email, time/, {
    row: good,
    maps: ["time=start"],
  }),
  "a template that cannot be read": whole("mapping_template_bad", /braces/, { row: good, maps: ["client={site"] }),
  "a regular expression that cannot be used": whole("mapping_regex_bad", /Correct it/, {
    row: good,
    maps: ["client={site|/(/}"],
  }),
  "a field without a column": whole("mapping_invalid", /--map FIELD=COLUMN/, { row: good, maps: ["time"] }),
  "an unknown recipe": whole("recipe_unknown", /--mapping/, { row: good, recipe: "nothing-of-that-kind" }),
  "a mapping file that does not exist": whole("mapping_missing", /--mapping/, {
    row: good,
    mappingFile: "/nowhere.json",
  }),
  "a pattern that cannot be used": whole("pattern_bad", /\{agent_email\}/, {
    options: { manifest: undefined, pattern: "{agent_email_{time}.wav" },
  }),
  "a name that does not fit the pattern": inLine(1, "pattern_mismatch", /Rename/, {
    options: {
      manifest: undefined,
      pattern: "{agent_email}_{time:yyyyMMddHHmmss}.mp3",
      timeZone: "UTC",
      campaign: "x",
    },
    prepare: () => Promise.resolve(),
  }),
  "a name that fits the pattern in two ways": inLine(1, "pattern_ambiguous", /manifest/, {
    options: {
      manifest: undefined,
      recordings: "two-ways",
      pattern: "{agent_email}_{time}_{client}.wav",
      campaign: "x",
    },
  }),
};
