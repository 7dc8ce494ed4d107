import { type Command, InvalidArgumentError } from "commander";
import { operator } from "../platform/actor.ts";
import { openFilesystem } from "../platform/storage/filesystem.ts";
import { expireCalls } from "../privacy/expire-calls.ts";
import { replayErasures } from "../privacy/replay-erasures.ts";
import { pluralize, print, table } from "./support/output.ts";
import { parseId, type WithApp } from "./support/with-app.ts";

export function retentionDays(text: string): number | null {
  if (text === "forever") return null;
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 36_500) throw new InvalidArgumentError("Use a number of days from 1 to 36500, or forever.");
  return days;
}

interface ExpireOptions {
  readonly dryRun?: boolean;
  readonly workspace?: string;
  readonly json?: boolean;
}

export function privacyCommands(program: Command, withApp: WithApp): void {
  const erasures = program.command("erasures").description("manage the erasure ledger");

  erasures
    .command("replay")
    .description("after a restore: replay the erasures made since the backup")
    .option("--from <dir>", "read the ledger from this folder, which contains a copy of the bucket's erasures/")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nRun this before you start the API. See docs/operations/backup-and-upgrade.md for how to restore a backup.",
    )
    .action(({ from, json }: { from?: string; json?: boolean }) =>
      withApp(async (app) => {
        const report = await replayErasures(app, from ? { from: openFilesystem(from) } : { whole: true });
        const held =
          report.heldBack > 0
            ? ` ${pluralize(report.heldBack, "call is", "calls are")} kept until a legal hold is released.`
            : "";
        print(
          { entries: report.entries, erased: report.erased, held_back: report.heldBack },
          `Replayed ${pluralize(report.entries, "ledger entry", "ledger entries")} and erased ${pluralize(report.erased, "call")}.${held}`,
          json,
        );
      }),
    );
}

export function expireCommand(call: Command, withApp: WithApp): void {
  call
    .command("expire")
    .description("erase calls older than their campaign's retention, as the worker does daily")
    .option("--workspace <id>", "only this workspace", parseId)
    .option("--dry-run", "only show what would be erased")
    .option("--json", "print JSON")
    .action(({ dryRun, workspace, json }: ExpireOptions) =>
      withApp(async (app) => {
        const expired = await expireCalls(app, { dryRun, workspace, actor: operator });
        const rows = expired.map((row) => [row.workspaceId, row.campaignId, String(row.calls), String(row.held)]);
        const bodies = expired.map(({ workspaceId, campaignId, ...counts }) => ({
          workspace_id: workspaceId,
          campaign_id: campaignId,
          ...counts,
        }));
        const headings = ["WORKSPACE", "CAMPAIGN", dryRun ? "WOULD BE ERASED" : "ERASED", "ON HOLD"];
        print(bodies, table(headings, rows, "No calls have expired."), json);
      }),
    );
}
