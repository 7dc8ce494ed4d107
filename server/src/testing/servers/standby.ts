import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
const script = join(import.meta.dirname, "../../../../dev/postgres");

export interface Standby {
  /** Translates a URL of the primary to the standby, with the same role and database. */
  url(primaryUrl: string): string;
  /** Promotes the standby. When this resolves, it accepts writes on a new timeline. */
  promote(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

interface StandbyOptions {
  /** Any URL of the primary cluster, which must be on loopback and trust replication connections from there. */
  readonly primaryUrl: string;
  /** Parent folder for the data. */
  readonly dir: string;
}

/** Creates a streaming hot standby with pg_basebackup and starts it on a free port. */
export async function startStandby({ primaryUrl, dir }: StandbyOptions): Promise<Standby> {
  const port = await freePort();
  const env = {
    ...process.env,
    PG_ENGINE_DIR: join(dir, `standby-${randomUUID().slice(0, 8)}`),
    PG_ENGINE_PORT: String(port),
    PG_PRIMARY_PORT: new URL(primaryUrl).port,
  };
  await run(script, ["standby"], { env });
  return {
    url: (primary) => Object.assign(new URL(primary), { port: String(port) }).href,
    async promote() {
      await run(script, ["promote"], { env });
    },
    async stop() {
      await run(script, ["stop", "--immediate", "--wipe"], { env });
    },
  };
}
