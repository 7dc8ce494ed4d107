import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { findPendingMigrations } from "../platform/database/pending-migrations.ts";
import { queueStats } from "../platform/monitor.ts";
import { countSetAside } from "../platform/queue/set-aside.ts";
import { countUnreplayed } from "../privacy/replay-erasures.ts";
import { sampleRate } from "../transcripts/engine/engine.ts";
import { onlyLanguageOf } from "../transcripts/engine/local-engine.ts";
import { openEngine } from "../transcripts/engine/open-engine.ts";
import { examineSecrets } from "./secrets.ts";
import { bad, examine, type Finding, good, printFindings, reason } from "./support/findings.ts";
import { examineLockTable } from "./support/lock-table.ts";
import { pluralize } from "./support/output.ts";
import { examinePooler } from "./support/pooler.ts";

const run = promisify(execFile);

/** Host, database and user of a URL, without the password. */
const describeUrl = (url: string) => {
  const { host, pathname, username } = new URL(url);
  return `${host}${pathname} as ${username || "(no user)"}`;
};

async function databaseFindings(app: App): Promise<Finding[]> {
  const reachable = await examine("database reachable", () => examineConnection(app));
  if (!reachable.ok) return [reachable];
  return [
    reachable,
    await examine("migrations", () => examineMigrations(app)),
    await examine("database role", () => examineRole(app)),
    await examine("row-level security", () => examineRowSecurity(app)),
    await examine("search role", () => examineSearchRole(app)),
    await examine("lock table", () => examineLockTable(app)),
    await examine("durability", () => examineDurability(app)),
    await examine("connection pooler", () => examinePooler(app)),
  ];
}

async function examineConnection({ db, config }: App) {
  const { url } = config.database;
  try {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db);
    return good(`PostgreSQL ${rows[0]?.version} at ${describeUrl(url)}`);
  } catch (error) {
    return bad(
      `cannot connect to DATABASE_URL (${describeUrl(url)}): ${reason(error)}. Check that PostgreSQL is running and that role and password are correct`,
    );
  }
}

async function examineMigrations({ db }: App) {
  const pending = await findPendingMigrations(db);
  if (pending.length === 0) return good("all are applied");
  return bad(`${pluralize(pending.length, "migration is", "migrations are")} missing. Run \`hearback-server migrate\``);
}

async function examineRole({ db }: App) {
  const { rows } = await sql<{ name: string; owns: number; member: boolean }>`
    select current_user as name,
      (select count(*)::int from pg_class where relowner = current_user::regrole and relnamespace = 'public'::regnamespace) as owns,
      pg_has_role('hearback_service', 'member') as member`.execute(db);
  const role = rows[0];
  if (role?.owns)
    return bad(
      `the role ${role.name} owns tables. Set DATABASE_URL to the role hearback_service (deploy/roles.sql) and DATABASE_OWNER_URL to the owner`,
    );
  if (!role?.member)
    return bad(`the role ${role?.name} is neither hearback_service nor a member of it. See deploy/roles.sql`);
  return good(`${role.name} owns no tables`);
}

async function examineRowSecurity({ db }: App) {
  const { rows } = await sql<{ bypass: boolean }>`
    select rolsuper or rolbypassrls as bypass from pg_roles where rolname = current_user`.execute(db);
  return rows[0]?.bypass
    ? bad(
        "the role of DATABASE_URL is a superuser or has BYPASSRLS, so workspaces could see each other's calls. Connect as hearback_service",
      )
    : good("enforced for the role of DATABASE_URL");
}

/** Who owns the function that searches what was said: it reads the words of all workspaces. */
async function examineSearchRole({ db }: App) {
  const { rows } = await sql<{ owner: string }>`
    select proowner::regrole::text as owner from pg_proc where oid = to_regproc('said_calls')`.execute(db);
  const owner = rows[0]?.owner;
  if (!owner) return bad("the function said_calls is missing. Run `hearback-server migrate`");
  if (owner === "hearback_search") return good("hearback_search reads the words of calls and nothing else");
  return good(
    `the search for what was said runs as ${owner}. It is safer as a role that reads nothing else: as an administrator, run the two lines of deploy/roles.sql about hearback_search, then \`hearback-server migrate\``,
  );
}

async function examineDurability({ db }: App) {
  const { rows } = await sql<{ fsync: string; commit: string; pages: string }>`
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('full_page_writes') as pages`.execute(db);
  const [settings] = rows;
  if (settings?.fsync !== "on")
    return bad("fsync is off, so a crash of the machine loses acknowledged calls. Set fsync = on");
  if (settings.commit === "off" || settings.commit === "local")
    return bad(
      `synchronous_commit is ${settings.commit}, so a crash or a failover loses acknowledged calls. Set synchronous_commit = on`,
    );
  return settings.pages === "on"
    ? good("fsync and synchronous_commit are on")
    : bad("full_page_writes is off. Set full_page_writes = on");
}

async function storageFinding(app: App): Promise<Finding> {
  const { storage } = app.config;
  const where = storage.kind === "s3" ? `bucket ${storage.bucket} at ${storage.endpoint ?? "Amazon S3"}` : storage.root;
  return examine("storage", async () => {
    try {
      await app.storage.check();
      return good(`${where} is writable and readable, and objects can be deleted`);
    } catch (error) {
      return bad(`${where}: ${reason(error)}. ${storageAdvice(reason(error))}`);
    }
  });
}

function storageAdvice(message: string): string {
  if (/NoSuchBucket/i.test(message)) return "The bucket does not exist. Create it, or correct S3_BUCKET";
  if (/InvalidAccessKeyId|SignatureDoesNotMatch/i.test(message))
    return "Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY";
  if (/AccessDenied|EACCES|EPERM|EROFS/i.test(message)) return "Access is denied. Grant the service write access";
  if (/ECONNREFUSED|ENOTFOUND|Timeout|silent|EAI_AGAIN/i.test(message))
    return "The object store does not respond. Start it, or correct S3_ENDPOINT";
  return "See docs/operations/settings.md";
}

const toolFinding = (tool: "ffmpeg" | "ffprobe") =>
  examine(tool, async () => {
    try {
      const { stdout: output } = await run(tool, ["-version"]);
      return good(output.split(" Copyright")[0] ?? "found");
    } catch {
      return bad(`${tool} is missing. On Debian, run apt-get install ffmpeg`);
    }
  });

const sandboxFinding = (app: App) =>
  examine("sandbox", async () => {
    const scratch = await app.scratch();
    const { name } = scratch.sandbox;
    await scratch.close();
    if (name === "sandbox")
      return good(
        "recordings are decoded without network, privileges, access to other files or dangerous system calls (bubblewrap)",
      );
    return good(
      `MEDIA_SANDBOX=auto: recordings are decoded with "${name}" only. Install bubblewrap, allow user namespaces and set MEDIA_SANDBOX=required`,
    );
  });

const longWaitSeconds = 15 * 60;

const queueFinding = (app: App) =>
  examine("queue", async () => {
    const queues = await queueStats(app);
    const waiting = queues.reduce((sum, { queued }) => sum + queued, 0);
    const late = queues.filter(({ oldestSeconds }) => (oldestSeconds ?? 0) > longWaitSeconds);
    if (late.length === 0) return good(`${pluralize(waiting, "job is", "jobs are")} waiting, none for long`);
    const list = late.map(({ name, oldestSeconds }) => `${name} for ${Math.round((oldestSeconds ?? 0) / 60)} min`);
    return bad(
      `jobs have been waiting too long (${list.join(", ")}). Check that a worker is running (hearback-server worker), or start more`,
    );
  });

const setAsideFinding = (app: App) =>
  examine("jobs set aside", async () => {
    const found = await countSetAside(app.db);
    if (found.length === 0) return good("none");
    const list = found.map(({ name, count }) => `${count} of ${name.slice(0, 100)}`).join(", ");
    return bad(
      `the queue rejected ${list}. Run \`hearback-server migrate\` of the newest release, then restart the workers. The reasons are in the worker's log`,
    );
  });

const erasureFinding = (app: App) =>
  examine("erasures", async () => {
    const count = await countUnreplayed(app);
    return count === 0
      ? good("this database knows all erasures in the ledger")
      : bad(
          `${pluralize(count, "erasure is", "erasures are")} in the ledger but missing from this database, probably because it was restored from a backup. Run \`hearback-server erasures replay\``,
        );
  });

/** Sends a second of silence. */
const transcriberFinding = (app: App) =>
  examine("transcription", async () => {
    const { transcriber } = app.config;
    if (!transcriber)
      return good("neither TRANSCRIBER_URL nor TRANSCRIBER_MODEL_DIR is set, so calls are not transcribed");
    const engine = openEngine(transcriber);
    try {
      const language = (transcriber.kind === "local" && onlyLanguageOf(transcriber.modelDir)) || "en";
      await engine.transcribe({ samples: new Int16Array(sampleRate), language });
    } catch (error) {
      return bad(`${reason(error)} See docs/transcripts.md`);
    } finally {
      await engine.close();
    }
    const where = transcriber.kind === "server" ? new URL(transcriber.url).host : "this machine";
    return good(`${engine.model} on ${where}`);
  });

async function mailFinding(app: App): Promise<Finding> {
  const { mail } = app.config;
  return {
    check: "mail",
    ...good(mail ? `through ${new URL(mail.url).host}` : "SMTP_URL is not set, so no mail is sent"),
  };
}

/** Checks the configuration and its dependencies. Sets the exit code to 1 if a check fails. */
export async function doctor(app: App, json: boolean | undefined): Promise<void> {
  const findings = [
    ...(await databaseFindings(app)),
    await storageFinding(app),
    await toolFinding("ffmpeg"),
    await toolFinding("ffprobe"),
    await sandboxFinding(app),
    await queueFinding(app),
    await setAsideFinding(app),
    await erasureFinding(app),
    await examine("secrets", () => examineSecrets(app)),
    await mailFinding(app),
    await transcriberFinding(app),
  ];
  printFindings(findings, "doctor", json);
}
