import type { CallFilter, CallItem } from "@hearback/sdk";
import type { Command } from "commander";
import { type Column, layOut, type Table, widthOf } from "../terminal/table.ts";
import { counted, onAClock } from "../terminal/units.ts";
import { chosenCalls } from "./call-filters.ts";
import { type Context, globalOptions } from "./context.ts";

interface ListOptions extends CallFilter {
  readonly limit: number;
  readonly all?: boolean;
}

const pageSize = 200;

export async function listCalls(context: Context, command: Command, options: ListOptions): Promise<void> {
  const { client } = await context.connect(command);
  const { json } = globalOptions(command);
  const most = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const show = json ? showLines(context) : showTable(context);
  let shown = 0;
  let more = false;
  // One more than is shown, to know whether there are more.
  const limit = Math.min(pageSize, most + 1);
  for await (const call of client.calls.search({ ...chosenCalls(options), limit, signal: context.signal })) {
    if (shown === most) {
      more = true;
      break;
    }
    show.add(call);
    shown += 1;
  }
  show.end();
  if (shown === 0) return context.note(command, "No call matches.");
  const rest = more ? "; there are older ones: --all, or a higher --limit" : "";
  if (!json || more) context.note(command, context.errorStyle.dim(`${counted(shown, "call")}${rest}`));
}

interface Shower {
  add(call: CallItem): void;
  end(): void;
}

const showLines = (context: Context): Shower => ({ add: (call) => context.print(JSON.stringify(call)), end: () => {} });

/** A table that is written while the calls come: its columns are as wide as the first of them need. */
function showTable(context: Context): Shower {
  const { stdout, style } = context;
  let waiting: CallItem[] = [];
  let table: Table<CallItem> | undefined;
  const flush = () => {
    if (waiting.length === 0) return;
    if (!table) {
      table = layOut(waiting, columns(context), { width: widthOf(stdout), style });
      context.print(table.head);
    }
    for (const line of table.lines(waiting)) context.print(line);
    waiting = [];
  };
  return {
    add(call) {
      waiting.push(call);
      if (waiting.length >= pageSize) flush();
    },
    end: flush,
  };
}

const columns = ({ style }: Context): readonly Column<CallItem>[] => [
  { title: "time (UTC)", cell: ({ conversation_time }) => conversation_time.slice(0, 16).replace("T", " ") },
  { title: "agent", cell: ({ agent }) => agent.email, least: 12 },
  { title: "campaign", cell: ({ campaign_id }) => campaign_id, least: 8, rank: 4 },
  {
    title: "lasts",
    cell: ({ recording }) => (recording.duration_ms === null ? "?" : onAClock(recording.duration_ms)),
    right: true,
    rank: 3,
  },
  {
    title: "status",
    cell: ({ status, failure }) => (failure ? `${status}: ${failure.code}` : status),
    least: 8,
    rank: 1,
    paint: (text, { status }) =>
      status === "failed" ? style.red(text) : status === "ready" ? style.green(text) : text,
  },
  // Whole or not at all: a part of an id is of no use.
  { title: "id", cell: ({ id }) => id, rank: 0 },
];
