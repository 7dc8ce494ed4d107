import { type Command, InvalidArgumentError } from "commander";
import { sweep, sweepAgeMs } from "../calls/sweep-recordings.ts";
import { verifyRecordings } from "../calls/verify-recordings.ts";
import { print, progress } from "./output.ts";
import { anId, type WithApp } from "./with-app.ts";

function seconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Write a number of seconds.");
  return Number(text);
}

export function recordingCommands(program: Command, withApp: WithApp): void {
  program
    .command("sweep")
    .description("remove recordings that no call ever claimed, as the worker does every hour")
    .option("--older-than <seconds>", "only those that old; twice the request timeout if absent", seconds)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nWith --older-than 0 an import that is under way may be answered 503; it can be sent again.",
    )
    .action((options: { olderThan?: number; json?: boolean }) =>
      withApp(async (app) => {
        const olderThanMs = options.olderThan === undefined ? sweepAgeMs(app) : options.olderThan * 1000;
        const swept = await sweep(app, { olderThanMs, onProgress: progress("removed") });
        print({ swept }, `${swept} unclaimed recordings removed.`, options.json);
      }),
    );

  program
    .command("verify")
    .description("read every recording and compare it with the SHA-256 it had when it came")
    .option("--workspace <id>", "only this workspace", anId)
    .option("--after <call-id>", "go on after this call of the workspace, where an earlier run was stopped", anId)
    .option("--json", "print JSON")
    .addHelpText("after", "\nEnds with 1 if a recording is damaged or missing.")
    .action((options: { workspace?: string; after?: string; json?: boolean }) =>
      withApp(async (app) => {
        const { checked, damaged } = await verifyRecordings(app, { ...options, onProgress: progress("read") });
        const lines = damaged.map((one) => `${one.workspaceId} ${one.callId} ${one.problem}`);
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
          [`${checked} recordings read, ${damaged.length} damaged or missing.`, ...lines].join("\n"),
          options.json,
        );
        if (damaged.length > 0) process.exitCode = 1;
      }),
    );
}
