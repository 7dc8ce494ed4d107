import { type CallDetailBody, failureCodes } from "@hearback/contract";
import { type Command, Option } from "commander";
import { findCallDetail, toCallDetailBody } from "../calls/call/call-detail.ts";
import { unrestrictedViewer } from "../calls/call/find-call.ts";
import { retryPreparation, unsettledCalls } from "../calls/prepare/retry-preparation.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { callExportCommand } from "./call-export.ts";
import { expireCommand } from "./privacy.ts";
import { pluralize, print, progress, table } from "./support/output.ts";
import { parseId, type WithApp } from "./support/with-app.ts";

interface PrepareOptions {
  readonly workspace: string;
  readonly failed?: boolean;
  readonly stuck?: boolean;
  readonly code?: string;
  readonly json?: boolean;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function formatCall(call: CallDetailBody): string {
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
    lines.push(table(["SIDE", "CHANNEL", "TALK TIME", "LUFS"], sides, ""));
  }
  const steps = call.steps.map(({ step, state, attempts, since, reason }) => [
    ...[step, state, String(attempts), since, reason ? `${reason.code}: ${reason.detail}` : ""],
  ]);
  lines.push("", table(["STEP", "STATE", "ATTEMPTS", "SINCE", "REASON"], steps, ""));
  for (const { code, detail } of call.warnings) lines.push(`warning ${code}: ${detail}`);
  return lines.join("\n");
}

export function callCommands(program: Command, withApp: WithApp): void {
  const call = program.command("call").alias("calls").description("show, prepare, export and expire calls");
  callExportCommand(call, withApp);
  expireCommand(call, withApp);

  call
    .command("show")
    .description("show a call: status, sides, preparation and warnings")
    .argument("<call-id>", "the call", parseId)
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--json", "print JSON")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const { workspace } = options;
        const body = toCallDetailBody(
          await inWorkspace(app, workspace, (tx) => findCallDetail(tx, unrestrictedViewer(workspace), id)),
        );
        print(body, formatCall(body), options.json);
      }),
    );

  call
    .command("prepare")
    .description("retry preparation of the given calls, of all failed calls or of all stuck calls")
    .argument("[call-ids...]", "the calls")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--failed", "all failed calls of the workspace")
    .option("--stuck", "all calls of the workspace that have been waiting for more than 15 minutes")
    .addOption(
      new Option("--code <code>", "with --failed: only calls that failed with this code").choices(failureCodes),
    )
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  hearback-server call prepare --workspace … --failed --code recording_too_long")
    .action((ids: string[], options: PrepareOptions) =>
      withApp(async (app) => {
        const { workspace, failed, stuck, code } = options;
        if (ids.length === 0 && !failed && !stuck) call.error("Specify call ids, --failed or --stuck.");
        const status = failed ? "failed" : "received";
        const selected = failed || stuck ? unsettledCalls(app, workspace, { status, code }) : ids.map(parseId);
        const show = progress("queued");
        let queued = 0;
        let ready = 0;
        let waiting = 0;
        for await (const id of selected) {
          try {
            const retried = await retryPreparation(app, unrestrictedViewer(workspace), id);
            if (retried.queued) queued += 1;
            else waiting += 1;
          } catch (error) {
            // A call that has become ready meanwhile must not stop the others.
            if (!(error instanceof AppError) || error.code !== "call_ready") throw error;
            ready += 1;
          }
          show(queued);
        }
        const lines = [
          `Queued ${pluralize(queued, "call")}.`,
          ready > 0 ? `${pluralize(ready, "call is", "calls are")} already ready.` : "",
          waiting > 0 ? `${pluralize(waiting, "call is", "calls are")} already queued.` : "",
        ];
        print({ queued, ready, waiting }, lines.filter(Boolean).join(" "), options.json);
      }),
    );
}
