import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, type LoadedDatabase, withAdmin } from "./search-cluster.ts";
import { startService } from "./search-service.ts";

const explaining = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "off",
};

/**
 * Makes PostgreSQL log the plan of every statement while the service, under its own role, runs the queries. Returns the
 * plan lines that scan a whole call table, or everything that one filter matches.
 */
export async function findSequentialScans(
  cluster: Cluster,
  database: LoadedDatabase,
  queries: readonly string[],
): Promise<{ plans: number; scans: string[] }> {
  const log = join(cluster.dir, "log");
  const role = `alter role hearback_service in database ${database.name}`;
  const configure = (lines: string[]) =>
    withAdmin(cluster.adminUrl(database.name), async (admin) => {
      for (const line of lines) await admin.query(line);
    });
  const { size } = await stat(log);
  await configure(Object.entries(explaining).map(([name, value]) => `${role} set ${name} = '${value}'`));
  try {
    await using cleanup = new AsyncDisposableStack();
    const service = await startService(cluster, database, cleanup);
    for (const query of queries) await service.search(query);
    await sleep(500);
  } finally {
    await configure([`${role} reset all`]);
  }
  const file = await open(log);
  const text = await file.read({ buffer: Buffer.alloc((await stat(log)).size - size), position: size });
  await file.close();
  const lines = text.buffer.toString().split("\n");
  const plans = lines.filter((line) => line.includes("prepared: walk-")).length;
  return {
    plans,
    scans: lines.filter((line) =>
      /Seq Scan on call_(\d|metadata)|hashed SubPlan|Hash Join|Bitmap Heap Scan on call_/.test(line),
    ),
  };
}
