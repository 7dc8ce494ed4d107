import type { ScorecardBody } from "@hearback/sdk";
import type { Command } from "commander";
import { type Column, layOutTable, tableWidth } from "../../terminal/table.ts";
import { pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

const columns: readonly Column<ScorecardBody>[] = [
  { title: "name", cell: ({ name }) => name, minWidth: 12 },
  { title: "version", cell: ({ latest_version }) => String(latest_version ?? "none"), right: true, rank: 1 },
  { title: "draft", cell: ({ has_draft }) => (has_draft ? "yes" : "no"), rank: 2 },
  {
    title: "campaigns",
    cell: ({ campaign_ids }) => (campaign_ids.length === 0 ? "all" : campaign_ids.join(", ")),
    minWidth: 9,
    rank: 3,
  },
  { title: "retired", cell: ({ retired_at }) => retired_at?.slice(0, 10) ?? "no", rank: 4 },
  // Never truncated: a partial id is useless.
  { title: "id", cell: ({ id }) => id, rank: 0 },
];

/** Lists the scorecards in use, or with `retired` only the retired ones. */
export async function listScorecards(
  context: Context,
  command: Command,
  { retired = false }: { readonly retired?: boolean },
): Promise<void> {
  const { client } = await context.connect(command);
  const { signal, style, stdout } = context;
  const { json } = globalOptions(command);
  const scorecards: ScorecardBody[] = [];
  for await (const scorecard of client.scorecards.list({ retired, signal })) {
    if (json) context.print(JSON.stringify(scorecard));
    else scorecards.push(scorecard);
  }
  if (json) return;
  if (scorecards.length === 0)
    return context.note(
      command,
      retired ? "No retired scorecards." : "No scorecards yet. See: hearback scorecards --help",
    );
  const table = layOutTable(scorecards, columns, { width: tableWidth(stdout), style });
  for (const line of [table.head, ...table.lines(scorecards)]) context.print(line);
  context.note(command, context.errorStyle.dim(pluralize(scorecards.length, "scorecard")));
}
