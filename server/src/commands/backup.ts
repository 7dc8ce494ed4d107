import { type Command, InvalidArgumentError } from "commander";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { bad, examine, good, printFindings, reason } from "./support/findings.ts";
import { pluralize } from "./support/output.ts";
import type { WithApp } from "./support/with-app.ts";

/** WAL files that may wait to be archived. */
const mostWaiting = 10;

interface Archiver {
  readonly mode: string;
  readonly timeoutSeconds: number;
  readonly isFailing: boolean;
  readonly lastFailedWal: string | null;
  readonly lastArchivedAt: Date | null;
  /** WAL files after the last archived one. */
  readonly waiting: number | null;
}

async function examineArchiving({ db }: App) {
  const { rows } = await sql<Archiver>`
    select current_setting('archive_mode') as mode,
      extract(epoch from current_setting('archive_timeout')::interval)::int as timeout_seconds,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing, last_failed_wal,
      last_archived_time as last_archived_at,
      (select count(*)::int - 1 from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' and name > last_archived_wal
        and name <= pg_walfile_name(pg_current_wal_lsn())) as waiting
    from pg_stat_archiver`.execute(db);
  const archiver = rows[0] as Archiver;
  if (archiver.mode === "off")
    return bad(
      "archive_mode is off, so a restore loses everything after the last base backup. Set archive_mode = on and an archive_command (docs/operations/backup-and-upgrade.md)",
    );
  if (archiver.isFailing)
    return bad(
      `archiving of ${archiver.lastFailedWal} fails. Look at the log of PostgreSQL and correct archive_command`,
    );
  if (!archiver.lastArchivedAt)
    return bad("nothing has been archived yet. Run select pg_switch_wal(), and check again");
  const waiting = Math.max(0, archiver.waiting ?? 0);
  if (waiting > mostWaiting)
    return bad(
      `${pluralize(waiting, "WAL file waits", "WAL files wait")} to be archived. Look at the log of PostgreSQL`,
    );
  if (archiver.timeoutSeconds === 0)
    return bad(
      "archive_timeout is 0, so a quiet database keeps its last changes until 16 MB are full. Set archive_timeout = 1min",
    );
  return good(
    `the last file was archived at ${archiver.lastArchivedAt.toISOString()}; at most ${archiver.timeoutSeconds} s of changes are not in the archive`,
  );
}

/** PostgreSQL keeps the history file of the last base backup, whichever tool made it. */
async function examineBaseBackup({ db }: App, maxHours: number) {
  const { rows } = await sql<{ endedAt: Date; hours: number }>`
    select modification as ended_at, extract(epoch from now() - modification)::float8 / 3600 as hours from pg_ls_waldir()
    where name like '%.backup' order by modification desc limit 1`.execute(db);
  const [last] = rows;
  const fix = "Make one with pgBackRest or pg_basebackup (docs/operations/backup-and-upgrade.md)";
  if (!last) return bad(`PostgreSQL knows no base backup. ${fix}`);
  const age = `the last one ended at ${last.endedAt.toISOString()}, ${last.hours.toFixed(1)} hours ago`;
  return last.hours <= maxHours ? good(age) : bad(`${age}; at most ${maxHours} are allowed. ${fix}`);
}

async function examineRecordings({ storage, config }: App) {
  if (!storage.findProtection)
    return good(
      "not checked: with STORAGE=filesystem, copy STORAGE_DIR to another machine after every base backup, and compare it there",
    );
  const bucket = config.storage.kind === "s3" ? config.storage.bucket : "";
  const protection = await storage.findProtection();
  if (protection === "none")
    return bad(
      `the bucket ${bucket} is neither versioned nor replicated, so a deleted object is gone. Turn on versioning, with a lifecycle rule that deletes old versions, because erased recordings stay until then`,
    );
  return good(`the bucket ${bucket} is ${protection}`);
}

/** Explains that the service must be allowed to list WAL files. */
async function withWalAccess<T>(work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!/permission denied for function pg_ls_waldir/.test(reason(error))) throw error;
    return bad(
      "the role of DATABASE_URL may not list WAL files. As an administrator, in this database: grant execute on function pg_ls_waldir() to hearback_service",
    );
  }
}

async function check(app: App, { maxAgeHours, json }: CheckOptions): Promise<void> {
  const findings = [
    await examine("WAL archiving", () => withWalAccess(() => examineArchiving(app))),
    await examine("base backup", () => withWalAccess(() => examineBaseBackup(app, maxAgeHours))),
    await examine("recordings", () => examineRecordings(app)),
  ];
  printFindings(findings, "backup check", json);
}

interface CheckOptions {
  readonly maxAgeHours: number;
  readonly json?: boolean;
}

function parseHours(text: string): number {
  const hours = Number(text);
  if (!(hours > 0)) throw new InvalidArgumentError("Use a number of hours, such as 26.");
  return hours;
}

export function backupCommands(program: Command, withApp: WithApp): void {
  const backup = program.command("backup").description("check that the installation can be restored");
  backup
    .command("check")
    .description("check WAL archiving, the age of the last base backup, and the protection of the bucket")
    .option("--max-age-hours <hours>", "oldest permitted base backup", parseHours, 26)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExits with 1 if a check fails: run it from cron or a monitoring system.")
    .action((options: CheckOptions) => withApp((app) => check(app, options)));
}
