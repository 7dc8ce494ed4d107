import type { Command } from "commander";
import type { App } from "../platform/app.ts";
import { measures } from "../scores/measures.ts";
import { type ScoreDifference, verifyScores } from "../scores/verify-scores.ts";
import { workspaceIds } from "../workspaces/list-workspaces.ts";
import { pluralize, print, progress } from "./support/output.ts";
import { parseId, type WithApp } from "./support/with-app.ts";

interface VerifyCommand {
  readonly workspace?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
}

function toText(workspaceId: string, { table, key, expected, stored }: ScoreDifference): string {
  const named = Object.entries(key).map(([name, value]) => `${name}=${value}`);
  const wrong = measures.filter((measure) => expected[measure] !== stored[measure]);
  const values = wrong.map((measure) => `${measure} expected ${expected[measure]}, stored ${stored[measure]}`);
  return `${workspaceId} ${table} ${named.join(" ")}: ${values.join("; ")}`;
}

async function verify(app: App, { workspace, repair = false, json }: VerifyCommand): Promise<void> {
  const show = progress("read");
  const total = { workspaces: 0, reviews: 0, days: 0, differences: 0 };
  for await (const id of workspace ? [workspace] : workspaceIds(app.db, "live")) {
    const found = await verifyScores(app, id, {
      repair,
      onDay: (_, reviews) => show(total.reviews + reviews),
      // Printed as they are found: there can be too many to keep.
      onDifference: (difference) => print({ workspace_id: id, ...difference }, toText(id, difference), json),
    });
    total.workspaces += 1;
    total.reviews += found.reviews;
    total.days += found.days;
    total.differences += found.differences;
  }
  const { reviews, workspaces, differences } = total;
  const result = `${pluralize(differences, "difference")}${repair && differences > 0 ? ", repaired" : ""}`;
  const text = `Verified the sums of ${pluralize(reviews, "review")} of ${pluralize(workspaces, "workspace")}: ${result}.`;
  print({ ...total, repaired: repair }, text, json);
  if (differences > 0 && !repair) process.exitCode = 1;
}

export function scoreCommands(program: Command, withApp: WithApp): void {
  const scores = program.command("scores").description("verify the sums that dashboards read");

  scores
    .command("verify")
    .description("recompute all sums from the revisions of reviews and print every difference")
    .option("--workspace <id>", "only this workspace", parseId)
    .option("--repair", "correct the sums that differ")
    .option("--json", "print JSON lines: one per difference, then the totals")
    .addHelpText(
      "after",
      "\nExits with 1 if it finds differences and does not repair them. Reads day by day, while the service runs.",
    )
    .action((options: VerifyCommand) => withApp((app) => verify(app, options)));
}
