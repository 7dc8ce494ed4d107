import { type Command, InvalidArgumentError } from "commander";
import { type RestoreObject, restoreFromCopy } from "../calls/objects/restore-object.ts";
import { stageOrphans } from "../calls/objects/stage-orphans.ts";
import { sweepObjects } from "../calls/objects/staged-objects.ts";
import { sweepAgeMs } from "../calls/objects/sweep-recordings.ts";
import { verifyRecordings } from "../calls/prepare/verify-recordings.ts";
import type { App } from "../platform/app.ts";
import { fieldInvalid } from "../platform/errors.ts";
import { openFilesystem } from "../platform/storage/filesystem.ts";
import { pluralize, print, progress } from "./support/output.ts";
import { parseId, type WithApp } from "./support/with-app.ts";

function seconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Use a number of seconds.");
  return Number(text);
}

function day(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError("Use a day such as 2026-05-31 (UTC).");
  return text;
}

interface SweepCommand {
  readonly olderThan?: number;
  readonly since?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `sweep --since`: stages objects that no row references. */
async function sweepSince(app: App, since: string, { dryRun = false, json }: SweepCommand): Promise<void> {
  const { until, ...found } = await stageOrphans(app, { since, dryRun, onProgress: progress("listed") });
  const { listed, orphans, unknownWorkspaces } = found;
  const body = { listed, orphans, unknown_workspaces: unknownWorkspaces, since, until, dry_run: dryRun };
  const next = dryRun
    ? "Nothing was changed."
    : "The worker deletes them in one of its next sweeps, after at least two hours.";
  const lines = [
    until
      ? `Listed ${pluralize(listed, "object")} from ${since} to ${until}. ${pluralize(orphans, "object belongs", "objects belong")} to no call. ${next}`
      : `${since} is too recent. A day can be swept from two hours after its end (UTC).`,
    unknownWorkspaces.length > 0
      ? `Skipped workspaces that are not in this database: ${unknownWorkspaces.length} (${unknownWorkspaces.slice(0, 5).join(", ")}).`
      : "",
  ];
  print(body, lines.filter(Boolean).join("\n"), json);
}

export function recordingCommands(program: Command, withApp: WithApp): void {
  program
    .command("sweep")
    .description("delete recordings that no call claimed, as the worker does hourly")
    .option(
      "--older-than <seconds>",
      "minimum age; default: two hours or twice the request timeout, whichever is longer",
      seconds,
    )
    .option(
      "--since <day>",
      "after a restore: find objects stored on this day (UTC) or later that no call references",
      day,
    )
    .option("--dry-run", "with --since: only count the objects")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nWith --since, the command reads every call once and lists the objects of each day. You can interrupt and repeat it.\nWith --older-than 0, imports in progress may fail with 503 and must be retried.",
    )
    .action((options: SweepCommand) =>
      withApp(async (app) => {
        if (options.since) return sweepSince(app, options.since, options);
        const olderThanMs = options.olderThan === undefined ? sweepAgeMs(app) : options.olderThan * 1000;
        const swept = await sweepObjects(app, { olderThanMs, onProgress: progress("removed") });
        print({ swept }, `Deleted ${pluralize(swept, "unclaimed recording")}.`, options.json);
      }),
    );

  program
    .command("verify")
    .description("read every recording and compare its SHA-256 with the one from the import")
    .option("--workspace <id>", "only this workspace", parseId)
    .option("--after <call-id>", "resume an interrupted run after this call", parseId)
    .option(
      "--restore-from <source>",
      "restore lost objects of calls: `versions` of a versioned bucket, or a folder with a copy of the object store",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExits with 1 if a recording is damaged or missing. To fix such a call, import it again. Calls whose playback copy or\nwaveform is missing, or that failed because the recording was, are prepared again. Calls whose transcript is missing are transcribed again.",
    )
    .action((options: VerifyCommand) => withApp((app) => verify(app, options)));
}

interface VerifyCommand {
  readonly workspace?: string;
  readonly after?: string;
  readonly restoreFrom?: string;
  readonly json?: boolean;
}

async function verify(app: App, { restoreFrom, json, ...options }: VerifyCommand): Promise<void> {
  const restore = restoreFrom === undefined ? {} : { restore: restoreSource(app, restoreFrom) };
  const report = await verifyRecordings(app, { ...options, ...restore, onProgress: progress("read") });
  const { checked, restored, preparedAgain, transcribedAgain, damaged } = report;
  const body = {
    checked,
    restored,
    prepared_again: preparedAgain,
    transcribed_again: transcribedAgain,
    damaged: damaged.map(({ workspaceId, callId, problem }) => ({
      workspace_id: workspaceId,
      call_id: callId,
      problem,
    })),
  };
  const lines = [
    `Verified ${pluralize(checked, "recording")}, ${damaged.length} damaged or missing.`,
    restored > 0 ? `Restored ${pluralize(restored, "object")}.` : "",
    preparedAgain > 0 ? `${pluralize(preparedAgain, "call is", "calls are")} prepared again.` : "",
    transcribedAgain > 0 ? `${pluralize(transcribedAgain, "call is", "calls are")} transcribed again.` : "",
    ...damaged.map(({ workspaceId, callId, problem }) => `${workspaceId} ${callId} ${problem}`),
  ];
  print(body, lines.filter(Boolean).join("\n"), json);
  if (damaged.length > 0) process.exitCode = 1;
}

function restoreSource(app: App, source: string): RestoreObject {
  if (source !== "versions") return restoreFromCopy(app, openFilesystem(source));
  const { undelete } = app.storage;
  if (!undelete)
    throw fieldInvalid("--restore-from", "not_supported", "STORAGE=filesystem keeps no versions. Use a copy.");
  return undelete;
}
