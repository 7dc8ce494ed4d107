import { type Command, InvalidArgumentError } from "commander";
import { operator } from "../platform/actor.ts";
import { openFilesystem } from "../platform/storage/filesystem.ts";
import { expireCalls } from "../privacy/expire-calls.ts";
import { replayErasures } from "../privacy/replay-erasures.ts";
import { print, table } from "./output.ts";
import { anId, type WithApp } from "./with-app.ts";

export function retentionDays(text: string): number | null {
  if (text === "forever") return null;
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 36_500) throw new InvalidArgumentError("Write a number of days from 1 to 36500, or forever.");
  return days;
}

interface ExpireOptions {
  readonly dryRun?: boolean;
  readonly workspace?: string;
  readonly json?: boolean;
}

export function privacyCommands(program: Command, withApp: WithApp): void {
  const erasures = program.command("erasures").description("what was erased, and must stay so");

  erasures
    .command("replay")
    .description("after a restore: erase again what was erased since the backup was made")
    .option("--from <dir>", "a folder with a copy of the bucket's erasures/, instead of the bucket")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nRun it before the API is started. docs/operations/backup-and-upgrade.md tells how to restore.",
    )
    .action(({ from, json }: { from?: string; json?: boolean }) =>
      withApp(async (app) => {
        const report = await replayErasures(app, from ? { from: openFilesystem(from) } : {});
        const held =
          report.heldBack > 0 ? ` ${report.heldBack} are under a legal hold and stay until it is released.` : "";
        print(
          { entries: report.entries, erased: report.erased, held_back: report.heldBack },
          `${report.entries} entries of the ledger were not known; ${report.erased} calls erased again.${held}`,
          json,
        );
      }),
    );
}

export function expireCommand(call: Command, withApp: WithApp): void {
  call
    .command("expire")
    .description("erase what is older than its campaign keeps calls, as the worker does every day")
    .option("--workspace <id>", "only this workspace", anId)
    .option("--dry-run", "only say what would be erased")
    .option("--json", "print JSON")
    .action(({ dryRun, workspace, json }: ExpireOptions) =>
      withApp(async (app) => {
        const expired = await expireCalls(app, { dryRun, workspace, actor: operator });
        const rows = expired.map((one) => [one.workspaceId, one.campaignId, String(one.calls), String(one.held)]);
        const bodies = expired.map(({ workspaceId, campaignId, ...counts }) => ({
          ...{ workspace_id: workspaceId, campaign_id: campaignId },
          ...counts,
        }));
        const headings = ["WORKSPACE", "CAMPAIGN", dryRun ? "WOULD BE ERASED" : "ERASED", "HELD"];
        print(bodies, table(headings, rows, "No call is older than its campaign keeps calls."), json);
      }),
    );
}
