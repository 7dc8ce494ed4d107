import { request } from "node:http";
import { parseArgs } from "node:util";
import pg from "pg";
import { addCalls } from "../e2e/support/data/many-calls.ts";
import { withEveryScope } from "../e2e/support/http/call-details.ts";
import type { Service } from "../e2e/support/http/service.ts";
import { openStack, type Stack } from "../e2e/support/stack/stack.ts";
import { makeFolder, startEngine } from "./support/engines.ts";
import { memoryOfFamily, peakMemory } from "./support/peak-memory.ts";

const usage = `npm run bench -- export [--json] [--calls N] [--entries N]

Memory and throughput of an API process that exports all calls of a workspace as CSV and JSON lines, compared with PostgreSQL
alone converting the same rows to text. Also measures the verification of the audit log.

  --json     also print the results as JSON, in the last line
  --calls    number of calls, 1,000 to 10,000,000; default 1,000,000
  --entries  number of audit log entries, 1,000 to 10,000,000; default 200,000`;

const MB = 1024 * 1024;
const lastTenth = "2024-03-25T00:00:00Z";

/** Measures exports. Returns the exit code. */
export async function benchExport(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      calls: { type: "string", default: "1000000" },
      entries: { type: "string", default: "200000" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [calls, entries] = [Number(values.calls), Number(values.entries)];
  const wrong = [calls, entries].some((count) => !Number.isInteger(count) || count < 1_000 || count > 10_000_000);
  if (values.help || wrong) {
    console.error(usage);
    return values.help ? 0 : 2;
  }

  await using cleanup = new AsyncDisposableStack();
  await makeFolder(cleanup);
  await startEngine("postgres");
  const stack = await openStack("filesystem");
  cleanup.defer(() => stack.stop());
  const api = await stack.startApi();
  const service = await withEveryScope(stack, { ...stack, baseUrl: api.baseUrl });
  console.error(`writing ${calls.toLocaleString("en")} calls`);
  await addCalls(stack, calls, { months: 12 });
  await stack.adminDb.query("analyze");
  signal.throwIfAborted();
  const bare = await readBare(stack);

  const figures: Record<string, number> = { bare_calls_per_second: Math.round(calls / bare) };
  const measure = async (label: string, path: string, expected?: number) => {
    signal.throwIfAborted();
    const before = memoryOfFamily(api.pid);
    let taken = { lines: 0, bytes: 0, seconds: 0 };
    const peak = await peakMemory(api.pid, async () => {
      taken = await takeExport(service, path);
    });
    if (expected && taken.lines !== expected) throw new Error(`${taken.lines} lines instead of ${expected}`);
    const rate = Math.round(taken.lines / taken.seconds);
    const growth = Math.round((peak - before) / MB);
    console.log(
      `${label}: ${taken.lines.toLocaleString("en")} lines, ${Math.round(taken.bytes / MB)} MB in ${taken.seconds.toFixed(1)} s (${rate.toLocaleString("en")} calls/s, bare ${figures.bare_calls_per_second?.toLocaleString("en")}); memory ${Math.round(before / MB)} MB before, +${growth} MB at most.`,
    );
    return { rate, growth };
  };
  // Export a tenth first: under load, V8's young generation grows to its full size once. What matters is whether memory
  // grows with the size of the export.
  const first = await measure("csv, a tenth, of a fresh process", `/calls/export?format=csv&from=${lastTenth}`);
  figures.fresh_memory_growth_mb = first.growth;
  for (const format of ["csv", "jsonl"]) {
    const expected = calls + (format === "csv" ? 1 : 0);
    const { rate, growth } = await measure(format, `/calls/export?format=${format}`, expected);
    Object.assign(figures, { [`${format}_calls_per_second`]: rate, [`${format}_memory_growth_mb`]: growth });
  }

  await addEntries(stack, entries);
  const verified = await stack.command<{ entries: number; entries_per_second: number; wrong: unknown[] }>(
    ...["audit", "verify", "--json"],
  );
  if (verified.wrong.length > 0 || verified.entries < entries) throw new Error(JSON.stringify(verified));
  console.log(
    `audit verify: ${verified.entries.toLocaleString("en")} entries, ${verified.entries_per_second.toLocaleString("en")} entries/s.`,
  );
  figures.verified_entries_per_second = verified.entries_per_second;
  if (values.json) console.log(JSON.stringify(figures));
  return 0;
}

/** Downloads a whole export as fast as possible. */
async function takeExport(service: Service, path: string) {
  const began = performance.now();
  const outgoing = request(service.baseUrl + path, { headers: { "x-api-key": service.apiKey } });
  outgoing.end();
  const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) =>
    outgoing.once("response", resolve).once("error", reject),
  );
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
  let [lines, bytes] = [0, 0];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  return { lines, bytes, seconds: (performance.now() - began) / 1000 };
}

/** Time that PostgreSQL alone needs to convert the same rows to text, as the service's role. */
async function readBare(stack: Stack): Promise<number> {
  const client = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await client.connect();
  await client.query("select set_config('hearback.workspace', $1, false)", [stack.workspaceId]);
  const began = performance.now();
  await client.query(
    `select count(*) from (select call.*, app_user.email, app_user.name from call
       join app_user on app_user.workspace_id = call.workspace_id and app_user.id = call.agent_id
       where call.workspace_id = '${stack.workspaceId}' order by call.id desc offset 0) as row where row::text <> ''`,
  );
  const seconds = (performance.now() - began) / 1000;
  await client.end();
  return seconds;
}

/** Adds entries as the service does: the trigger chains each of them. */
async function addEntries({ adminDb, workspaceId }: Stack, count: number): Promise<void> {
  console.error(`writing ${count.toLocaleString("en")} entries`);
  const batch = 500;
  for (let left = count; left > 0; left -= batch) {
    await adminDb.query(
      `begin; select set_config('hearback.workspace', '${workspaceId}', true);
       insert into audit_entry (workspace_id, actor_type, actor_id, action, subject_type, subject_id, number, at, hash)
       select '${workspaceId}', 'key', gen_random_uuid(), 'call.listened', 'call', gen_random_uuid()::text, 0, now(), ''
       from generate_series(1, ${Math.min(left, batch)}); commit`,
    );
  }
}
