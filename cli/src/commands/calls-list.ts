import type { CallFilter, CallItem } from "@hearback/sdk";
import type { Command } from "commander";
import { type Column, layOutTable, type Table, tableWidth } from "../terminal/table.ts";
import { formatTimecode, pluralize } from "../terminal/units.ts";
import { pickFilters } from "./call-filters.ts";
import { type Context, globalOptions } from "./context.ts";

interface ListOptions extends CallFilter {
  readonly limit: number;
  readonly all?: boolean;
}

const pageSize = 200;

export async function listCalls(context: Context, command: Command, options: ListOptions): Promise<void> {
  const { client } = await context.connect(command);
  const { json } = globalOptions(command);
  const max = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const show = json ? showLines(context) : showTable(context);
  let shown = 0;
  let more = false;
  // Fetch one extra call to find out whether there are more.
  const limit = Math.min(pageSize, max + 1);
  for await (const call of client.calls.search({ ...pickFilters(options), limit, signal: context.signal })) {
    if (shown === max) {
      more = true;
      break;
    }
    show.add(call);
    shown += 1;
  }
  show.end();
  if (shown === 0) return context.note(command, "No matching calls.");
  const rest = more ? "; more available: use --all or a higher --limit" : "";
  if (!json || more) context.note(command, context.errorStyle.dim(`${pluralize(shown, "call")}${rest}`));
}

interface CallPrinter {
  add(call: CallItem): void;
  end(): void;
}

const showLines = (context: Context): CallPrinter => ({
  add: (call) => context.print(JSON.stringify(call)),
  end: () => {},
});

/** Prints a table page by page. The first page sets the column widths. */
function showTable(context: Context): CallPrinter {
  const { stdout, style } = context;
  let waiting: CallItem[] = [];
  let table: Table<CallItem> | undefined;
  const flush = () => {
    if (waiting.length === 0) return;
    if (!table) {
      table = layOutTable(waiting, columns(context), { width: tableWidth(stdout), style });
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
  { title: "agent", cell: ({ agent }) => agent.email, minWidth: 12 },
  { title: "campaign", cell: ({ campaign_id }) => campaign_id, minWidth: 8, rank: 4 },
  {
    title: "duration",
    cell: ({ recording }) => (recording.duration_ms === null ? "?" : formatTimecode(recording.duration_ms)),
    right: true,
    rank: 3,
  },
  {
    title: "status",
    cell: ({ status, failure }) => (failure ? `${status}: ${failure.code}` : status),
    minWidth: 8,
    rank: 1,
    paint: (text, { status }) =>
      status === "failed" ? style.red(text) : status === "ready" ? style.green(text) : text,
  },
  // Never truncated: a partial id is useless.
  { title: "id", cell: ({ id }) => id, rank: 0 },
];
