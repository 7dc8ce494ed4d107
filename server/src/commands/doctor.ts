import { execFile } from "node:child_process";
import { stdout } from "node:process";
import { promisify } from "node:util";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { lookAtQueues } from "../platform/monitor.ts";
import { countUnreplayed } from "../privacy/replay-erasures.ts";
import { print } from "./output.ts";

const run = promisify(execFile);

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** What is wrong and how to mend it, or what was found. */
  readonly detail: string;
}

/** Why something failed, in the words of whoever failed. */
export const reason = (error: unknown) => {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message || String("code" in first ? first.code : first.name) : String(first);
};

async function examine(check: string, look: () => Promise<Omit<Finding, "check">>): Promise<Finding> {
  try {
    return { check, ...(await look()) };
  } catch (error) {
    return { check, ok: false, detail: reason(error) };
  }
}

const good = (detail: string) => ({ ok: true, detail });
const bad = (detail: string) => ({ ok: false, detail });

/** Where a URL leads, without its password. */
const place = (url: string) => {
  const { host, pathname, username } = new URL(url);
  return `${host}${pathname} as ${username || "nobody"}`;
};

async function databaseFindings(app: App): Promise<Finding[]> {
  const { url } = app.config.database;
  const reachable = await examine("database reachable", async () => {
    try {
      const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(
        app.db,
      );
      return good(`PostgreSQL ${rows[0]?.version} at ${place(url)}`);
    } catch (error) {
      return bad(
        `DATABASE_URL (${place(url)}) gives no connection: ${reason(error)}. Is PostgreSQL running, and are role and password right?`,
      );
    }
  });
  if (!reachable.ok) return [reachable];
  return [
    reachable,
    await examine("migrations", async () => {
      const { rows } = await sql<{ there: boolean }>`select to_regclass('public.call') is not null as there`.execute(
        app.db,
      );
      return rows[0]?.there
        ? good("the tables are there")
        : bad("the tables are missing: run `hearback-server migrate`");
    }),
    await examine("database role", async () => {
      const { rows } = await sql<{ name: string; owns: number; member: boolean }>`
        select current_user as name,
          (select count(*)::int from pg_class where relowner = current_user::regrole and relnamespace = 'public'::regnamespace) as owns,
          pg_has_role('hearback_service', 'member') as member`.execute(app.db);
      const role = rows[0];
      if (role?.owns)
        return bad(
          `the role ${role.name} owns tables: DATABASE_URL must name hearback_service (deploy/roles.sql), DATABASE_OWNER_URL the owner`,
        );
      if (!role?.member)
        return bad(`the role ${role?.name} is not hearback_service or a member of it: see deploy/roles.sql`);
      return good(`${role.name} owns nothing`);
    }),
    await examine("row-level security", async () => {
      const { rows } = await sql<{ bypass: boolean }>`
        select rolsuper or rolbypassrls as bypass from pg_roles where rolname = current_user`.execute(app.db);
      return rows[0]?.bypass
        ? bad(
            "the role of DATABASE_URL is a superuser or has BYPASSRLS: one workspace would see another's calls. Connect as hearback_service",
          )
        : good("in force for the role of DATABASE_URL");
    }),
    await examine("durability", async () => {
      const { rows } = await sql<{ fsync: string; commit: string; pages: string }>`
        select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
          current_setting('full_page_writes') as pages`.execute(app.db);
      const [settings] = rows;
      if (settings?.fsync !== "on")
        return bad("fsync is off: a crash of the machine loses acknowledged calls. Set fsync = on");
      if (settings.commit === "off")
        return bad("synchronous_commit is off: a crash loses acknowledged calls. Set it on");
      return settings.pages === "on"
        ? good("fsync and synchronous_commit are on")
        : bad("full_page_writes is off: set it on");
    }),
  ];
}

async function storageFinding(app: App): Promise<Finding> {
  const { storage } = app.config;
  const where = storage.kind === "s3" ? `bucket ${storage.bucket} at ${storage.endpoint ?? "Amazon"}` : storage.root;
  return examine("storage", async () => {
    try {
      await app.storage.check();
      return good(`${where} can be written, read and cleaned`);
    } catch (error) {
      return bad(`${where}: ${reason(error)}. ${storageAdvice(reason(error))}`);
    }
  });
}

function storageAdvice(message: string): string {
  if (/NoSuchBucket/i.test(message)) return "The bucket is missing: make it, or mend S3_BUCKET.";
  if (/InvalidAccessKeyId|SignatureDoesNotMatch/i.test(message))
    return "Mend S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.";
  if (/AccessDenied|EACCES|EPERM|EROFS/i.test(message)) return "It may not be written: give the service that right.";
  if (/ECONNREFUSED|ENOTFOUND|Timeout|silent|EAI_AGAIN/i.test(message))
    return "Nothing answers there: mend S3_ENDPOINT, or start the store.";
  return "See docs/operations/settings.md.";
}

const toolFinding = (tool: "ffmpeg" | "ffprobe") =>
  examine(tool, async () => {
    try {
      const { stdout: said } = await run(tool, ["-version"]);
      return good(said.split(" Copyright")[0] ?? "found");
    } catch {
      return bad(`${tool} is missing: on Debian, apt-get install ffmpeg`);
    }
  });

const confinementFinding = (app: App) =>
  examine("sandbox", async () => {
    const scratch = await app.scratch();
    const { name } = scratch.confinement;
    await scratch.close();
    if (name === "sandbox") return good("recordings are decoded without network, rights or other files (bubblewrap)");
    const how = `recordings are decoded with "${name}": install bubblewrap and allow user namespaces for the sandbox`;
    return app.config.media.sandboxRequired ? bad(`${how}; MEDIA_SANDBOX=required`) : good(how);
  });

const longWaitSeconds = 15 * 60;

const queueFinding = (app: App) =>
  examine("queue", async () => {
    const queues = await lookAtQueues(app);
    const waiting = queues.reduce((sum, { queued }) => sum + queued, 0);
    const late = queues.filter(({ oldestSeconds }) => (oldestSeconds ?? 0) > longWaitSeconds);
    if (late.length === 0) return good(`${waiting} jobs wait, none of them long`);
    const which = late.map(({ name, oldestSeconds }) => `${name} since ${Math.round((oldestSeconds ?? 0) / 60)} min`);
    return bad(`jobs wait too long (${which.join(", ")}): is a worker running (hearback-server worker)? Start more`);
  });

const erasureFinding = (app: App) =>
  examine("erasures", async () => {
    const count = await countUnreplayed(app);
    return count === 0
      ? good("everything that was erased is known to this database")
      : bad(
          `${count} entries of the ledger of erasures are not known to this database: was it restored? Run \`hearback-server erasures replay\``,
        );
  });

async function mailFinding(app: App): Promise<Finding> {
  const { mail } = app.config;
  return {
    check: "mail",
    ...good(mail ? `through ${new URL(mail.url).host}` : "none: SMTP_URL is not set, invitations are not sent"),
  };
}

/** Says in plain words what is wrong with a configuration. Ends with 1 if anything is. */
export async function doctor(app: App, json: boolean | undefined): Promise<void> {
  const findings = [
    ...(await databaseFindings(app)),
    await storageFinding(app),
    await toolFinding("ffmpeg"),
    await toolFinding("ffprobe"),
    await confinementFinding(app),
    await queueFinding(app),
    await erasureFinding(app),
    await mailFinding(app),
  ];
  const healthy = findings.every((finding) => finding.ok);
  const mark = (ok: boolean) =>
    stdout.isTTY ? (ok ? "\u001b[32m✓\u001b[0m" : "\u001b[31m✗\u001b[0m") : ok ? "ok   " : "WRONG";
  const lines = findings.map(({ check, ok, detail }) => `${mark(ok)} ${check}: ${detail}`);
  print(
    { healthy, findings },
    [...lines, healthy ? "\nAll is well." : "\nMend what is marked, then run doctor again."].join("\n"),
    json,
  );
  if (!healthy) process.exitCode = 1;
}
