import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeWav } from "../../testing/make-wav.ts";
import { type Defective, good, header, inLine, inRow, json, withFile } from "./defective.ts";

/** Invalid rows and recordings. */
export const rowDefects: Record<string, Defective> = {
  // Rows.
  "too few cells": inRow("row_too_few_cells", "a.wav,ann@example.com,1714557600", /missing/),
  "too many cells": inRow("row_too_many_cells", `${withFile("a.wav")},and,more`, /Quote cells/),
  "a row of 2 MB": inRow("row_too_long", withFile("a".repeat(2_000_000)), /line break/),
  "an unclosed quote": inRow("quote_unclosed", withFile('"a.wav'), /Close it/),
  "an unescaped quote in a quoted cell": inRow("quote_misplaced", withFile('"the "best" a.wav"'), /Double/),
  "a line that is not JSON": inLine(2, "json_broken", /double quotes/, {
    manifest: `${json({})}\n{"file": 'a.wav'}\n`,
    name: "calls.jsonl",
  }),
  "a line that is not an object": inLine(2, "json_not_object", /one object per line/, {
    manifest: `${json({})}\n["a.wav"]\n`,
    name: "calls.jsonl",
  }),
  "a nested object": inLine(2, "json_value_nested", /client_name/, {
    manifest: `${json({})}\n${json({ client: { name: "Bo" } })}\n`,
    name: "calls.jsonl",
  }),
  "a number with too many digits": inLine(2, "json_number_inexact", /quotes/, {
    manifest: `${json({})}\n${json({}).replace("}", ',"phone":331234567890123456789}')}\n`,
    name: "calls.jsonl",
  }),
  "a lone surrogate": inLine(2, "text_broken", /UTF-8/, {
    manifest: `${json({})}\n${json({}).replace("}", ',"site":"Ly\\ud800on"}')}\n`,
    name: "calls.jsonl",
  }),
  "invalid UTF-8": inLine(3, "text_broken", /one encoding/, {
    manifest: Buffer.concat([
      Buffer.from(`${header}\n${good.replace("Lyon", "Orléans")}\n${withFile("a.wav")} `),
      Buffer.from([0xe9]),
      Buffer.from("\n"),
    ]),
  }),
  "a NUL": inRow("control_characters", withFile("a.wav").replace("Lyon", "Ly\0on"), /Remove/),
  "a control character": inRow("control_characters", withFile("a.wav").replace("Lyon", "Ly\x1b[2Jon"), /Remove/),
  "a campaign with a line break": inRow(
    "control_characters",
    withFile("a.wav").replace("support-fr", '"sup\nport"'),
    /Remove/,
    {
      detail: /"campaign".*"sup\\nport"/,
    },
  ),
  "a campaign with a tab": inRow("control_characters", withFile("a.wav").replace("support-fr", "sup\tport"), /Remove/),
  "an agent with a C1 control character": inRow(
    "control_characters",
    withFile("a.wav").replace("ann@", "ann\x9b2J@"),
    /Remove/,
    { detail: /"agent_email".*\\u009b2J/ },
  ),
  "a file name with a line separator": inRow("control_characters", withFile("a\u2028.wav"), /Remove/),
  "a file name with a bidi override": inRow("control_characters", withFile("a\u202evaw.exe"), /Remove/, {
    detail: /"file".*\\u202e/,
  }),
  // Recordings.
  "no file name": inRow("file_name_missing", withFile("  "), /file name of the recording/),
  "a missing file": inRow("file_missing", withFile("gone.wav"), /Copy it there/),
  "a file name in another case": inRow("file_name_differs", withFile("A.WAV"), /on disk.*--map/, {
    detail: /Did you mean "a.wav"/,
  }),
  "a folder in another case": inRow("file_name_differs", withFile("Sub/b.wav"), /on disk.*--map/, {
    detail: /"sub\/b.wav"/,
  }),
  "a file name without its extension": inRow("file_name_differs", withFile("a"), /on disk.*--map/, {
    detail: /Did you mean "a.wav"/,
  }),
  "an absolute path": inRow("file_absolute", withFile("/var/spool/a.wav"), /--map/),
  "a Windows path with a drive": inRow("file_absolute", withFile("C:\\calls\\a.wav"), /relative to --recordings/),
  "a path that leads outside": inRow("file_outside", withFile("sub/../../a.wav"), /--recordings/),
  "a link that leads outside": inRow("file_outside", withFile("link.wav"), /--recordings/, {
    prepare: (at) => symlink("/etc/hostname", join(at, "link.wav")),
  }),
  "a linked folder that leads outside": inRow("file_outside", withFile("out/hostname"), /--recordings/, {
    prepare: (at) => symlink("/etc", join(at, "out")),
  }),
  "a URL": inRow("file_is_url", withFile("https://example.com/a.wav"), /Download/),
  "a folder": inRow("file_is_folder", withFile("sub"), /recording in it/),
  "a device": inRow("file_special", withFile("null"), /Use a recording/, { options: { recordings: "/dev" } }),
  "a link to itself": inRow("file_unreadable", withFile("me.wav"), /link to itself/, {
    prepare: (at) => symlink(join(at, "me.wav"), join(at, "me.wav")),
  }),
  "an empty file": inRow("file_empty", withFile("a.wav"), /Copy it again/, {
    prepare: (at) => writeFile(join(at, "a.wav"), ""),
  }),
  "a WAV header without audio": inRow("file_without_audio", withFile("a.wav"), /remove the row/, {
    prepare: (at) => writeFile(join(at, "a.wav"), makeWav(0)),
  }),
  "a file that is too large": inRow("file_too_large", withFile("a.wav"), /Compress/, {
    options: { maxRecordingBytes: 5000 },
    prepare: (at) => writeFile(join(at, "a.wav"), makeWav(9000)),
  }),
  "a text file named .wav": inRow("file_not_audio", withFile("a.wav"), /WAV, MP3/, {
    prepare: (at) => writeFile(join(at, "a.wav"), "hello"),
  }),
  "a truncated WAV": inRow("file_truncated", withFile("a.wav"), /Copy it again/, {
    prepare: (at) => writeFile(join(at, "a.wav"), makeWav(800, 1600)),
  }),
};
