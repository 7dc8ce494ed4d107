import { type Defective, good, header, inLine, inRow, whole, withFile, withTime, zone } from "./defective.ts";

const ahead = String(Math.floor(Date.now() / 1000) + 3 * 86_400);

/** Invalid agents, times, campaigns and metadata. */
export const callDefects: Record<string, Defective> = {
  // Agents.
  "no agent": inRow("agent_missing", withFile("a.wav").replace("ann@example.com", ""), /email/),
  "an agent that is not an email address": inRow(
    "agent_not_email",
    withFile("a.wav").replace("ann@example.com", "Ann Lee"),
    /--agents/,
  ),
  "an agent id without an agents file": inLine(2, "agent_needs_agents_file", /--agents FILE/, {
    manifest: "file,agent,time,campaign\na.wav,1042,1714557600,x\n",
  }),
  "an agent who is not in the agents file": inLine(2, "agent_not_in_agents_file", /agents.csv/, {
    manifest: "file,agent,time,campaign\na.wav,1042,1714557600,x\n",
    agents: "agent,email\n1041,ann@example.com\n",
  }),
  "an agent name that is too long": inLine(2, "agent_name_too_long", /shorten/, {
    manifest: `${header},agent_name\n${good},${"A".repeat(201)}\n`,
  }),
  "a missing agents file": whole("agents_file_missing", /--agents/, {
    row: good,
    options: { agentsFile: "/nowhere.csv" },
  }),
  "an agents file without email addresses": whole("agents_file_wrong", /"email"/, {
    row: good,
    agents: "agent,phone\n1041,12\n",
  }),
  "an agents file with an invalid address": whole("agents_file_wrong", /Correct/, {
    row: good,
    agents: "agent,email\n1041,ann\n",
  }),
  "an agents file with a replacement character": whole("agents_file_wrong", /UTF-8/, {
    row: good,
    agents: "agent,email,name\n1041,ann@example.com,Ann\n1042,rene@example.com,Ren\ufffde\n",
    detail: /^Line 3 of agents.csv: unreadable character in "Ren\ufffde"\.$/,
  }),
  "an agents file with a name that is too long": whole("agents_file_wrong", /Shorten/, {
    row: good,
    agents: `agent,email,name\n1041,ann@example.com,${"A".repeat(201)}\n`,
  }),
  "an agents file with a line break in a name": whole("agents_file_wrong", /Remove/, {
    row: good,
    agents: 'agent,email,name\n1041,ann@example.com,"Ann\nLee"\n',
  }),
  "an agent listed twice in the agents file": whole("agents_file_doubled", /Keep the right line/, {
    row: good,
    agents: "agent,email\n1041,ann@example.com\n1041,bob@example.com\n",
  }),
  // Times.
  "no time": inRow("time_missing", withTime(""), /start time of the call/),
  "a time without a format": inRow(
    "time_format_missing",
    withTime("2024-05-01 14:00:00"),
    /--time-format 'yyyy-MM-dd HH:mm:ss'.*--time-zone/,
  ),
  "an ambiguous date": inRow(
    "time_format_missing",
    withTime("03/04/2024 14:00"),
    /'dd\/MM\/yyyy HH:mm' .* is 03 Apr 2024.*'MM\/dd\/yyyy HH:mm' it is 04 Mar 2024/,
  ),
  "a two-digit year": inRow("time_format_missing", withTime("25/04/24 14:00"), /'dd\/MM\/yy HH:mm'/),
  "text that is not a time": inRow("time_format_missing", withTime("yesterday"), /--map time=/),
  "an invalid time format": whole("time_format_bad", /yyyy, MM, dd/, {
    row: good,
    options: { timeFormat: "YYYY-MM-DD", timeZone: "UTC" },
  }),
  "a time in another format": inLine(2, "time_format_mismatch", /'dd\/MM\/yyyy HH:mm:ss'/, {
    manifest: `${header}\n${withTime("13/05/2024 14:00:00")}\n`,
    options: zone,
  }),
  "February 31": inLine(2, "time_impossible", /Correct/, {
    manifest: `${header}\n${withTime("31.02.2024 14:00")}\n`,
    options: { timeFormat: "dd.MM.yyyy HH:mm", timeZone: "UTC" },
  }),
  "no time zone": whole("time_zone_missing", /--time-zone/, {
    row: good,
    options: { timeFormat: "yyyy-MM-dd HH:mm:ss" },
  }),
  "ISO 8601 without an offset or a time zone": inLine(2, "time_zone_missing", /--time-zone/, {
    manifest: `${header}\n${withTime("2024-05-01T14:00:00")}\n`,
    options: { timeFormat: "iso" },
  }),
  "an unknown time zone": whole("time_zone_unknown", /Europe\/Paris/, {
    row: good,
    options: { ...zone, timeZone: "Paris" },
  }),
  "a time zone abbreviation": whole("time_zone_unknown", /America\/New_York/, {
    row: good,
    options: { ...zone, timeZone: "EST" },
  }),
  "a time skipped by daylight saving time": inLine(2, "time_in_gap", /--time-zone/, {
    manifest: `${header}\n${withTime("2024-03-31 02:30:00")}\n`,
    options: zone,
  }),
  "a time that occurred twice": inLine(2, "time_ambiguous", /--ambiguous earlier/, {
    manifest: `${header}\n${withTime("2024-10-27 02:30:00")}\n`,
    options: zone,
  }),
  "a time in the future": inRow("time_in_future", withTime(ahead), /clock/),
  "a time before 2000": inRow("time_too_early", withTime("1999-12-31T23:59:59Z"), /2000-01-01/),
  milliseconds: inRow("time_in_milliseconds", withTime("1714557600000"), /unix_ms/),
  "a spreadsheet serial date": inRow("time_excel_serial", withTime("45413.5833"), /yyyy-mm-dd hh:mm:ss/),
  // Campaigns and metadata.
  "no campaign": inRow("campaign_missing", withFile("a.wav").replace("support-fr", ""), /--campaign/),
  "a campaign that is too long": inRow(
    "campaign_too_long",
    withFile("a.wav").replace("support-fr", "c".repeat(101)),
    /support-fr/,
  ),
  "too many metadata values": inLine(2, "metadata_too_many", /"rest": "drop"/, {
    manifest: `${header}${Array.from({ length: 100 }, (_, at) => `,m${at}`).join("")}\n${good}${",x".repeat(100)}\n`,
  }),
  "a column name too long for a metadata key": whole("metadata_key_too_long", /Shorten/, {
    manifest: `${header},${"k".repeat(129)}\n${good},x\n`,
  }),
  "a metadata value that is too long": inRow(
    "metadata_value_too_long",
    withFile("a.wav").replace("Lyon", "L".repeat(1025)),
    /Shorten/,
  ),
  "metadata that is too large": inLine(2, "metadata_too_large", /"rest": "drop"/, {
    manifest: `${header}${Array.from({ length: 80 }, (_, at) => `,m${at}`).join("")}\n${good}${`,${"é".repeat(1000)}`.repeat(80)}\n`,
  }),
};
