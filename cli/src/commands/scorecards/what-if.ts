import { setTimeout as sleep } from "node:timers/promises";
import type { Client, WhatIfBody } from "@hearback/sdk";
import type { Command } from "commander";
import { findScorecard } from "../../scorecards/find-scorecard.ts";
import { requireScorecard } from "../../scorecards/read-file.ts";
import { CommandError } from "../../terminal/command-error.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { type Column, layOutTable, tableWidth } from "../../terminal/table.ts";
import { formatNumber, pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

interface WhatIfOptions {
  readonly file: string;
  readonly id: string;
  readonly from: Date;
  readonly to?: Date | undefined;
}

type Result = NonNullable<WhatIfBody["result"]>;

/** Replays past reviews on the file. The service keeps the result for 30 days, but does not save the file as a draft. */
export async function runWhatIf(context: Context, command: Command, options: WhatIfOptions): Promise<void> {
  const { file, id, from, to } = options;
  const document = await requireScorecard(file);
  const { client } = await context.connect(command);
  const scorecard = await findScorecard(client, id, context.signal);
  const started = await client.whatIfs.start(scorecard.id, { from, to, document, signal: context.signal });
  const run = await waitForEnd(context, command, client, started);
  if (globalOptions(command).json) context.print(JSON.stringify(run));
  if (!run.result)
    throw new CommandError(`The run ${run.id} is ${run.state}.`, {
      exitCode: exitCodes.someFailed,
      code: `what_if_${run.state}`,
      fix: run.state === "failed" ? "The log of the worker contains the cause. Try again." : "Run the command again.",
    });
  if (!globalOptions(command).json) show(context, run, run.result);
}

const pollMs = { first: 100, most: 1_000 };

/** Shows progress until the run has ended. Ctrl-C cancels it. */
async function waitForEnd(
  context: Context,
  command: Command,
  client: Client,
  started: WhatIfBody,
): Promise<WhatIfBody> {
  const { signal } = context;
  const progress = openProgress(context, command);
  let run = started;
  let pause = pollMs.first;
  try {
    while (run.state === "queued" || run.state === "running") {
      progress.show(run);
      await sleep(pause, undefined, { signal });
      pause = Math.min(pollMs.most, pause * 2);
      run = await client.whatIfs.find(run.id, { signal });
    }
    return run;
  } catch (error) {
    if (signal.aborted) await client.whatIfs.cancel(run.id).catch(() => {});
    throw error;
  } finally {
    progress.stop();
  }
}

/** One line that is replaced on a terminal; otherwise one line in all. */
function openProgress({ stderr, env }: Context, command: Command) {
  const { json, quiet } = globalOptions(command);
  const isSilent = json || quiet;
  const isLive = stderr.isTTY && env.TERM !== "dumb";
  let shown = false;
  return {
    show({ replayed, reviews }: WhatIfBody) {
      if (isSilent || (shown && !isLive)) return;
      shown = true;
      const text =
        reviews === null ? "Waiting for a worker." : `${formatNumber(replayed)} of ${pluralize(reviews, "review")}`;
      stderr.write(isLive ? `\r${text}\x1b[K` : "Replaying reviews.\n");
    },
    stop() {
      if (shown && isLive) stderr.write("\r\x1b[K");
    },
  };
}

/** 8735 → "87.35" */
const points = (hundredths: number | null) => (hundredths === null ? "-" : (hundredths / 100).toFixed(2));
const signed = (hundredths: number | null) =>
  hundredths === null ? "-" : `${hundredths > 0 ? "+" : ""}${points(hundredths)}`;

interface Line {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const lineColumns: readonly Column<Line>[] = [
  { title: "", cell: ({ name }) => name },
  { title: "before", cell: ({ before }) => before, right: true },
  { title: "after", cell: ({ after }) => after, right: true },
];

const partColumns: readonly Column<Result["parts"][number]>[] = [
  { title: "cause", cell: ({ title }) => title, minWidth: 12 },
  { title: "change", cell: ({ kind, change }) => `${kind} ${change}`, rank: 2 },
  { title: "mean", cell: ({ mean_change }) => signed(mean_change), right: true },
  { title: "to failed", cell: ({ passed_to_failed }) => formatNumber(passed_to_failed), right: true },
  { title: "to passed", cell: ({ failed_to_passed }) => formatNumber(failed_to_passed), right: true },
  { title: "not comparable", cell: ({ not_comparable }) => formatNumber(not_comparable), right: true, rank: 1 },
];

const mostParts = 20;

function show(context: Context, run: WhatIfBody, result: Result): void {
  const { style, stdout } = context;
  const print = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => {
    const table = layOutTable(rows, columns, { width: tableWidth(stdout), style });
    for (const line of [table.head, ...table.lines(rows)]) context.print(line);
  };
  context.print(style.bold(`${pluralize(result.reviews, "review")}, version ${run.scorecard.version} → file`));
  if (!run.complete) context.print("There are more. These are the newest.");
  if (result.older_versions > 0)
    context.print(`${pluralize(result.older_versions, "review")} used an older version; the latest one is compared.`);
  print(summaryLines(result), lineColumns);
  context.print("");
  context.print(
    `${pluralize(result.passed_to_failed, "passed review")} would fail, ${pluralize(result.failed_to_passed, "failed review")} would pass.`,
  );
  if (result.not_comparable > 0)
    context.print(
      `${pluralize(result.not_comparable, "review")} compared without some answers: questions are new or removed, or answers no longer valid.`,
    );
  if (result.parts.length === 0) {
    context.print("No difference can change a score.");
    return;
  }
  context.print("");
  context.print("The effect of each change alone. Together they can have another effect.");
  print(result.parts.slice(0, mostParts), partColumns);
  if (result.parts.length > mostParts)
    context.print(`… and ${result.parts.length - mostParts} more. Use --json to see all.`);
}

function summaryLines({ before, after }: Result): Line[] {
  const count = (name: string, member: "passed" | "failed" | "not_scored") => ({
    name,
    before: formatNumber(before[member]),
    after: formatNumber(after[member]),
  });
  const bins = before.bins.flatMap((old, bin) => {
    const replayed = after.bins[bin] ?? 0;
    const name = `${bin * 5} to ${bin * 5 + 5}`;
    return old + replayed > 0 ? [{ name, before: formatNumber(old), after: formatNumber(replayed) }] : [];
  });
  return [
    { name: "mean score", before: points(before.mean), after: points(after.mean) },
    count("passed", "passed"),
    count("failed", "failed"),
    count("not scored", "not_scored"),
    ...bins,
  ];
}
