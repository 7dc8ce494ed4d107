import { CreateBucketCommand, PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { required } from "../support/stack/environment.ts";
import { runServerCommand } from "../support/stack/server-command.ts";
import { engine, s3Client } from "../support/stack/stack.ts";
import { until } from "../support/waiting.ts";
import { type ArchivedCluster, startArchivedCluster } from "./support/archived-cluster.ts";

const bucket = `backup-${Date.now().toString(36)}`;
let cluster: ArchivedCluster;
let env: Record<string, string>;

beforeAll(async () => {
  cluster = await startArchivedCluster();
  env = { PATH: required("PATH"), DATABASE_URL: cluster.env.DATABASE_URL, ...storage() };
  if (engine === "s3") await inStore((client) => client.send(new CreateBucketCommand({ Bucket: bucket })));
});
afterAll(() => cluster?.stop());

const storage = (): Record<string, string> =>
  engine === "filesystem"
    ? { STORAGE: "filesystem", STORAGE_DIR: `${required("E2E_DIR")}/${bucket}` }
    : {
        STORAGE: "s3",
        S3_BUCKET: bucket,
        ...Object.fromEntries(
          ["S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"].map((name) => [
            name,
            required(name),
          ]),
        ),
      };

async function inStore(work: (client: ReturnType<typeof s3Client>) => Promise<unknown>): Promise<void> {
  const client = s3Client();
  await work(client).finally(() => client.destroy());
}

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Findings by name: "ok", or what is wrong. */
async function check(...options: string[]): Promise<Record<string, string>> {
  const output = await runServerCommand(env, ["backup", "check", "--json", ...options]).catch((error) => error.stdout);
  const { healthy, findings } = JSON.parse(output) as { healthy: boolean; findings: Finding[] };
  expect(healthy).toBe(findings.every(({ ok }) => ok));
  return Object.fromEntries(findings.map(({ check, ok, detail }) => [check, ok ? "ok" : detail]));
}

test("an installation without backups is told what to set up", async () => {
  const findings = await check();
  expect(findings["WAL archiving"]).toMatch(/^archive_mode is off/);
  expect(findings["base backup"]).toMatch(/^PostgreSQL knows no base backup/);
  expect(findings.recordings).toMatch(engine === "s3" ? /neither versioned nor replicated/ : /^ok$/);
});

test("archived WAL, a base backup and a versioned bucket pass", async () => {
  await cluster.configure(
    "archive_mode = on",
    "archive_timeout = 60",
    `archive_command = 'test ! -f ${cluster.archive}/%f && cp %p ${cluster.archive}/%f'`,
  );
  await cluster.backUp("first");
  await cluster.query("select pg_switch_wal()");
  if (engine === "s3") {
    const VersioningConfiguration = { Status: "Enabled" } as const;
    await inStore((client) => client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration })));
  }
  const good = { "WAL archiving": "ok", "base backup": "ok", recordings: "ok" };
  await expect.poll(() => check(), { timeout: 20_000, interval: 500 }).toEqual(good);
  expect((await check("--max-age-hours", "0.000001"))["base backup"]).toMatch(/at most 0.000001 are allowed/);
});

test("WAL that cannot be archived, or waits for long, is reported", async () => {
  await cluster.query("alter system set archive_command = 'false'");
  await cluster.query("select pg_reload_conf()");
  await cluster.query("create table one (id int); select pg_switch_wal()");
  await until("archiving fails", 30_000, async () => /fails/.test((await check())["WAL archiving"] ?? ""), 500);
  await cluster.query("alter system reset archive_command");
  await cluster.query("alter system set archive_timeout = 0");
  await cluster.query("select pg_reload_conf()");
  await expect
    .poll(async () => (await check())["WAL archiving"], { timeout: 90_000, interval: 1000 })
    .toMatch(/^archive_timeout is 0/);
});

test("a role that may not list WAL files is told the grant", async () => {
  await cluster.query("revoke execute on function pg_ls_waldir() from hearback_service");
  const findings = await check();
  expect(findings["base backup"]).toMatch(/grant execute on function pg_ls_waldir\(\) to hearback_service/);
});
