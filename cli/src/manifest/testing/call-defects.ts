import { type Defective, good, header, inLine, inRow, whole, withFile, withTime, zone } from "./defective.ts";

const ahead = String(Math.floor(Date.now() / 1000) + 3 * 86_400);

/** Agents, times, campaigns and metadata that are wrong. */
export const callDefects: Record<string, Defective> = {
  // Agents.
  "no agent": inRow("agent_missing", withFile("a.wav").replace("ann@example.com", ""), /e-mail/),
  "an agent that is no e-mail address": inRow(
    "agent_not_email",
    withFile("a.wav").replace("ann@example.com", "Ann Lee"),
    /--agents/,
  ),
  "a number of an agent and no list": inLine(2, "agent_needs_agents_file", /--agents FILE/, {
    manifest: "file,agent,time,campaign\na.wav,1042,1714557600,x\n",
  }),
  "an agent who is not in the list": inLine(2, "agent_not_in_agents_file", /agents.csv/, {
    manifest: "file,agent,time,campaign\na.wav,1042,1714557600,x\n",
    agents: "agent,email\n1041,ann@example.com\n",
  }),
  "a name that is too long": inLine(2, "agent_name_too_long", /shorten/, {
    manifest: `${header},agent_name\n${good},${"A".repeat(201)}\n`,
  }),
  "a list of agents that does not exist": whole("agents_file_missing", /--agents/, {
    row: good,
    options: { agentsFile: "/nowhere.csv" },
  }),
  "a list of agents without addresses": whole("agents_file_wrong", /"email"/, {
    row: good,
    agents: "agent,phone\n1041,12\n",
  }),
  "a list of agents with a wrong address": whole("agents_file_wrong", /Correct/, {
    row: good,
    agents: "agent,email\n1041,ann\n",
  }),
  "a list of agents with a letter that was lost": whole("agents_file_wrong", /UTF-8/, {
    row: good,
    agents: "agent,email,name\n1041,ann@example.com,Ann\n1042,rene@example.com,Ren\ufffde\n",
    detail: /^Line 3 of agents.csv: a letter cannot be read in "Ren\ufffde"\.$/,
  }),
  "a list of agents in an old encoding": whole("agents_file_wrong", /UTF-8/, {
    row: good,
    agents: Buffer.from("agent,email,name\n1042,rene@example.com,Ren\xe9\n", "latin1"),
  }),
  "a list of agents with a name that is too long": whole("agents_file_wrong", /Shorten/, {
    row: good,
    agents: `agent,email,name\n1041,ann@example.com,${"A".repeat(201)}\n`,
  }),
  "a list of agents with a name of two lines": whole("agents_file_wrong", /Remove/, {
    row: good,
    agents: 'agent,email,name\n1041,ann@example.com,"Ann\nLee"\n',
  }),
  "an agent who is twice in the list": whole("agents_file_doubled", /Keep the one/, {
    row: good,
    agents: "agent,email\n1041,ann@example.com\n1041,bob@example.com\n",
  }),
  // Times.
  "no time": inRow("time_missing", withTime(""), /when the call began/),
  "a time without a stated format": inRow(
    "time_format_missing",
    withTime("2024-05-01 14:00:00"),
    /--time-format 'yyyy-MM-dd HH:mm:ss'.*--time-zone/,
  ),
  "a date that can be read in two ways": inRow(
    "time_format_missing",
    withTime("03/04/2024 14:00"),
    /'dd\/MM\/yyyy HH:mm' .* is 03 Apr 2024.*'MM\/dd\/yyyy HH:mm' it is 04 Mar 2024/,
  ),
  "a year of two digits": inRow("time_format_missing", withTime("25/04/24 14:00"), /'dd\/MM\/yy HH:mm'/),
  "a time that is none": inRow("time_format_missing", withTime("yesterday"), /--map time=/),
  "a format that means nothing": whole("time_format_bad", /yyyy, MM, dd/, {
    row: good,
    options: { timeFormat: "YYYY-MM-DD", timeZone: "UTC" },
  }),
  "a time in another format": inLine(2, "time_format_mismatch", /'dd\/MM\/yyyy HH:mm:ss'/, {
    manifest: `${header}\n${withTime("13/05/2024 14:00:00")}\n`,
    options: zone,
  }),
  "the 31st of February": inLine(2, "time_impossible", /Correct/, {
    manifest: `${header}\n${withTime("31.02.2024 14:00")}\n`,
    options: { timeFormat: "dd.MM.yyyy HH:mm", timeZone: "UTC" },
  }),
  "no time zone": whole("time_zone_missing", /--time-zone/, {
    row: good,
    options: { timeFormat: "yyyy-MM-dd HH:mm:ss" },
  }),
  "ISO without an offset or a zone": inLine(2, "time_zone_missing", /--time-zone/, {
    manifest: `${header}\n${withTime("2024-05-01T14:00:00")}\n`,
    options: { timeFormat: "iso" },
  }),
  "an unknown time zone": whole("time_zone_unknown", /Europe\/Paris/, {
    row: good,
    options: { ...zone, timeZone: "Paris" },
  }),
  "an abbreviation of a time zone": whole("time_zone_unknown", /America\/New_York/, {
    row: good,
    options: { ...zone, timeZone: "EST" },
  }),
  "a time over which clocks were put": inLine(2, "time_in_gap", /--time-zone/, {
    manifest: `${header}\n${withTime("2024-03-31 02:30:00")}\n`,
    options: zone,
  }),
  "a time that was twice": inLine(2, "time_ambiguous", /--ambiguous earlier/, {
    manifest: `${header}\n${withTime("2024-10-27 02:30:00")}\n`,
    options: zone,
  }),
  "a time in the future": inRow("time_in_future", withTime(ahead), /clock/),
  "a time before 2000": inRow("time_too_early", withTime("1999-12-31T23:59:59Z"), /2000-01-01/),
  milliseconds: inRow("time_in_milliseconds", withTime("1714557600000"), /unix_ms/),
  "a date as spreadsheets keep it": inRow("time_excel_serial", withTime("45413.5833"), /yyyy-mm-dd hh:mm:ss/),
  // Campaigns and metadata.
  "no campaign": inRow("campaign_missing", withFile("a.wav").replace("support-fr", ""), /--campaign/),
  "a campaign that is too long": inRow(
    "campaign_too_long",
    withFile("a.wav").replace("support-fr", "c".repeat(101)),
    /support-fr/,
  ),
  "too many values": inLine(2, "metadata_too_many", /"rest": "drop"/, {
    manifest: `${header}${Array.from({ length: 100 }, (_, at) => `,m${at}`).join("")}\n${good}${",x".repeat(100)}\n`,
  }),
  "a name too long for a key": whole("metadata_key_too_long", /Shorten/, {
    manifest: `${header},${"k".repeat(129)}\n${good},x\n`,
  }),
  "a value that is too long": inRow(
    "metadata_value_too_long",
    withFile("a.wav").replace("Lyon", "L".repeat(1025)),
    /Shorten/,
  ),
  "more metadata than fits": inLine(2, "metadata_too_large", /"rest": "drop"/, {
    manifest: `${header}${Array.from({ length: 80 }, (_, at) => `,m${at}`).join("")}\n${good}${`,${"é".repeat(1000)}`.repeat(80)}\n`,
  }),
};
