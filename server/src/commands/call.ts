import { type CallDetailBody, failureCodes } from "@hearback/contract";
import { type Command, Option } from "commander";
import { findCallDetail, toCallDetailBody } from "../calls/call-detail.ts";
import { anyCallOf } from "../calls/find-call.ts";
import { prepareAgain, unsettledCalls } from "../calls/prepare-again.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { callExportCommand } from "./call-export.ts";
import { print, progress, table } from "./output.ts";
import { expireCommand } from "./privacy.ts";
import { anId, type WithApp } from "./with-app.ts";

interface PrepareOptions {
  readonly workspace: string;
  readonly failed?: boolean;
  readonly stuck?: boolean;
  readonly code?: string;
  readonly json?: boolean;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function words(call: CallDetailBody): string {
  const { recording, audio } = call;
  const lines = [
    `${call.id}  ${call.status}`,
    `${call.conversation_time}  campaign ${call.campaign_id}`,
    `${recording.format} ${recording.codec ?? "?"}, ${recording.channels ?? "?"} channels, ${recording.sample_rate ?? "?"} Hz, ${seconds(recording.duration_ms ?? 0)}`,
  ];
  if (call.failure) lines.push(`failed: ${call.failure.code}. ${call.failure.detail}`);
  if (audio) {
    const sides = audio.sides.map((side) => [side.side, side.channel, seconds(side.talk_ms), `${side.loudness_lufs}`]);
    lines.push("", `layout ${audio.layout}; silence ${seconds(audio.silence_ms)}`);
    lines.push(table(["SIDE", "CHANNEL", "TALKS", "LUFS"], sides, ""));
  }
  const steps = call.steps.map(({ step, state, attempts, since, reason }) => [
    ...[step, state, String(attempts), since, reason ? `${reason.code}: ${reason.detail}` : ""],
  ]);
  lines.push("", table(["STEP", "STATE", "ATTEMPTS", "SINCE", "REASON"], steps, ""));
  for (const { code, detail } of call.warnings) lines.push(`warning ${code}: ${detail}`);
  return lines.join("\n");
}

export function callCommands(program: Command, withApp: WithApp): void {
  const call = program.command("call").alias("calls").description("calls and their preparation");
  callExportCommand(call, withApp);
  expireCommand(call, withApp);

  call
    .command("show")
    .description("what is known about a call: its states, sides and warnings")
    .argument("<call-id>", "the call", anId)
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const { workspace } = options;
        const body = toCallDetailBody(
          await inWorkspace(app, workspace, (tx) => findCallDetail(tx, anyCallOf(workspace), id)),
        );
        print(body, words(body), options.json);
      }),
    );

  call
    .command("prepare")
    .description("run again what failed: the calls named, all that failed, or all that wait for long")
    .argument("[call-ids...]", "the calls")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--failed", "all calls of the workspace that failed")
    .option("--stuck", "all calls of the workspace that have waited for more than 15 minutes")
    .addOption(
      new Option("--code <code>", "with --failed: only those that failed for this reason").choices(failureCodes),
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  hearback-server call prepare --workspace … --failed --code recording_too_long")
    .action((ids: string[], options: PrepareOptions) =>
      withApp(async (app) => {
        const { workspace, failed, stuck, code } = options;
        if (ids.length === 0 && !failed && !stuck) call.error("Name calls, or say --failed or --stuck.");
        const status = failed ? "failed" : "received";
        const chosen = failed || stuck ? unsettledCalls(app, workspace, { status, code }) : ids.map(anId);
        const show = progress("queued");
        let queued = 0;
        let ready = 0;
        let waiting = 0;
        for await (const id of chosen) {
          try {
            const again = await prepareAgain(app, anyCallOf(workspace), id);
            if (again.queued) queued += 1;
            else waiting += 1;
          } catch (error) {
            // Among many, one that has become ready meanwhile is no reason to leave the others.
            if (!(error instanceof AppError) || error.code !== "call_ready") throw error;
            ready += 1;
          }
          show(queued);
        }
        const lines = [
          `${queued} calls will be prepared again.`,
          ready > 0 ? `${ready} are ready already.` : "",
          waiting > 0 ? `${waiting} wait for a worker, and have not waited for long.` : "",
        ];
        print({ queued, ready, waiting }, lines.filter(Boolean).join(" "), options.json);
      }),
    );
}
