import type { DrawBody } from "@hearback/sdk";
import type { Command } from "commander";
import { type Column, layOutTable, tableWidth } from "../../terminal/table.ts";
import { pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

/** Draws that the table shows at most. */
const mostShown = 200;

const columns: readonly Column<DrawBody>[] = [
  { title: "plan", cell: ({ plan }) => plan.name, minWidth: 10 },
  { title: "period", cell: ({ period }) => period.replace("/", " to "), rank: 0 },
  { title: "state", cell: ({ state }) => state, rank: 1 },
  { title: "agents", cell: ({ agents }) => String(agents), right: true, rank: 3 },
  { title: "calls", cell: ({ calls }) => String(calls), right: true, rank: 2 },
  // Never truncated: a partial id is useless.
  { title: "id", cell: ({ id }) => id, rank: 0 },
];

export async function listDraws(
  context: Context,
  command: Command,
  options: { readonly plan?: string },
): Promise<void> {
  const { client } = await context.connect(command);
  const { signal, style, stdout } = context;
  const { json } = globalOptions(command);
  const draws: DrawBody[] = [];
  let left = 0;
  for await (const draw of client.draws.list({ planId: options.plan, signal })) {
    if (json) context.print(JSON.stringify(draw));
    else if (draws.length < mostShown) draws.push(draw);
    else left++;
  }
  if (json) return;
  if (draws.length === 0)
    return context.note(command, "No draws yet. A plan draws calls when its first period has ended.");
  const table = layOutTable(draws, columns, { width: tableWidth(stdout), style });
  for (const line of [table.head, ...table.lines(draws)]) context.print(line);
  const more = left > 0 ? `; ${left} older ones not shown, see --json` : "";
  context.note(command, context.errorStyle.dim(`${pluralize(draws.length, "draw")}${more}`));
}
