import type { Command } from "commander";
import { startTranscriptions } from "../transcripts/recognise/start-transcriptions.ts";
import { pluralize, print, progress } from "./support/output.ts";
import { type Common, parseId, parseTime, type WithApp } from "./support/with-app.ts";

interface StartCommand extends Common {
  readonly campaign?: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly failed?: boolean;
}

export function transcriptCommands(program: Command, withApp: WithApp): void {
  const transcripts = program.command("transcripts").description("transcribe existing calls");

  transcripts
    .command("start")
    .description("transcribe existing calls that have no transcript, or whose transcription failed")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--campaign <id>", "only calls of this campaign")
    .option("--from <time>", "only conversations from this time", parseTime)
    .option("--to <time>", "only conversations before this time", parseTime)
    .option("--failed", "calls whose transcription failed, instead of those without a transcript")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nOnly calls of campaigns with a language. The workers transcribe them; calls that are already queued are skipped, so the\ncommand can be interrupted and repeated.\n\nExample:\n  hearback-server transcripts start --workspace … --from 2027-01-01T00:00:00Z",
    )
    .action(({ workspace, campaign, from, to, failed = false, json }: StartCommand) =>
      withApp(async (app) => {
        const options = { workspaceId: workspace, campaignId: campaign, from, to, failed };
        const queued = await startTranscriptions(app, { ...options, onProgress: progress("queued") });
        print({ queued }, `Queued ${pluralize(queued, "call")}.`, json);
      }),
    );
}
