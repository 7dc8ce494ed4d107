import { type Command, InvalidArgumentError } from "commander";
import { stageOrphans } from "../calls/objects/stage-orphans.ts";
import { sweepObjects } from "../calls/objects/staged-objects.ts";
import { sweepAgeMs } from "../calls/objects/sweep-recordings.ts";
import { verifyRecordings } from "../calls/objects/verify-recordings.ts";
import type { App } from "../platform/app.ts";
import { pluralize, print, progress } from "./output.ts";
import { parseId, type WithApp } from "./with-app.ts";

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
    .option("--json", "print JSON")
    .addHelpText("after", "\nExits with 1 if a recording is damaged or missing. To fix such a call, import it again.")
    .action((options: { workspace?: string; after?: string; json?: boolean }) =>
      withApp(async (app) => {
        const { checked, damaged } = await verifyRecordings(app, { ...options, onProgress: progress("read") });
        const lines = damaged.map(({ workspaceId, callId, problem }) => `${workspaceId} ${callId} ${problem}`);
        const body = {
          checked,
          damaged: damaged.map(({ workspaceId, callId, problem }) => ({
            workspace_id: workspaceId,
            call_id: callId,
            problem,
          })),
        };
        print(
          body,
          [`Verified ${pluralize(checked, "recording")}, ${damaged.length} damaged or missing.`, ...lines].join("\n"),
          options.json,
        );
        if (damaged.length > 0) process.exitCode = 1;
      }),
    );
}
