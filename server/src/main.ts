#!/usr/bin/env node
import "./platform/memory/heap-flags.ts";

import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { stderr, stdout } from "node:process";
import { Command, InvalidArgumentError } from "commander";
import { auditCommands } from "./commands/audit.ts";
import { backupCommands } from "./commands/backup.ts";
import { callCommands } from "./commands/call.ts";
import { campaignCommands } from "./commands/campaign.ts";
import { doctor } from "./commands/doctor.ts";
import { eventCommands } from "./commands/events.ts";
import { holdCommands } from "./commands/hold.ts";
import { keyCommands } from "./commands/key.ts";
import { modelCommands } from "./commands/models.ts";
import { privacyCommands } from "./commands/privacy.ts";
import { recordingCommands } from "./commands/recordings.ts";
import { scoreCommands } from "./commands/scores.ts";
import { secretCommands } from "./commands/secrets.ts";
import { setupCommand } from "./commands/setup.ts";
import { reason } from "./commands/support/findings.ts";
import { transcriptCommands } from "./commands/transcripts.ts";
import { userCommands } from "./commands/user.ts";
import { webhookCommands } from "./commands/webhook.ts";
import { workspaceCommands } from "./commands/workspace.ts";
import { renewEventEpoch } from "./events/renew-event-epoch.ts";
import { type App, closeApp, openApp } from "./platform/app.ts";
import { ConfigError, readConfig } from "./platform/config.ts";
import { databaseUnavailable } from "./platform/database/errors.ts";
import { MigrationBlocked } from "./platform/database/short-locks.ts";
import { AppError } from "./platform/errors.ts";
import { printJson } from "./platform/http/openapi/print-json.ts";
import { findMisspeltSettings } from "./platform/misspelt-settings.ts";

const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
});

// Modules that only one command needs are imported by that command, so that the others start faster and use less memory.

const handlers = async () => (await import("./handlers.ts")).handlers;

async function withTracing(app: App, service: "api" | "worker", work: (app: App) => Promise<void>): Promise<void> {
  if (!app.config.tracing) return work(app);
  const { openTracing } = await import("./platform/tracing/open-tracing.ts");
  const tracing = openTracing(app.config.tracing, service);
  await work(app).finally(() => tracing.close());
}

async function withApp(work: (app: App) => Promise<void>): Promise<void> {
  for (const warning of findMisspeltSettings(process.env)) stderr.write(`${warning}\n`);
  const app = openApp(readConfig(process.env), { handlers });
  try {
    await work(app);
  } finally {
    await closeApp(app);
  }
}

async function serveApi(app: App): Promise<void> {
  const { openApi } = await import("./api.ts");
  const { openMetricsServer } = await import("./platform/metrics-server.ts");
  await renewEventEpoch(app);
  const api = await openApi(app);
  if (!app.secretBox.encrypts) app.log.warn("ENCRYPTION_KEYS is not set: secrets are stored in plain text");
  const address = await api.listen({ host: app.config.host, port: app.config.port });
  const { metricsPort } = app.config;
  const metrics = metricsPort > 0 ? await openMetricsServer(app, metricsPort) : undefined;
  app.log.info({ address }, "api ready");
  await stopped;
  app.log.info("stopping: finishing work in progress");
  await api.close();
  metrics?.close();
}

async function serveWorker(app: App): Promise<void> {
  const { runWorker } = await import("./worker.ts");
  await renewEventEpoch(app);
  const worker = await runWorker(app);
  await stopped;
  app.log.info("stopping: finishing work in progress");
  await worker.stop();
}

async function runMigrations(app: App, { maxWait }: { maxWait: number }): Promise<void> {
  const { ownerUrl } = app.config.database;
  if (!ownerUrl)
    throw new ConfigError("DATABASE_OWNER_URL is not set. Migrations run as the role that owns the tables.");
  const { migrateAll } = await import("./migrate-all.ts");
  const say = (text: string) => stderr.write(`${text}\n`);
  const applied = await migrateAll(app, ownerUrl, { maxWaitMs: maxWait * 1000, say });
  stdout.write(
    applied.length > 0 ? `${applied.map((name) => `applied ${name}`).join("\n")}\n` : "Nothing to migrate.\n",
  );
}

function wholeSeconds(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("Use whole seconds, such as 600.");
  return Number(text);
}

async function writeOpenApi(app: App, file: string | undefined): Promise<void> {
  const { openApi } = await import("./api.ts");
  const api = await openApi(app);
  const text = `${printJson(api.openApi())}\n`;
  if (file) await writeFile(file, text);
  else stdout.write(text);
  await api.close();
}

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const program = new Command("hearback-server")
  .description("Hearback server: stores recorded calls and makes them playable and searchable.")
  .addHelpText("after", "\nConfigure the server with environment variables; see deploy/example.env.")
  .version(version, "-V, --version", "show the version")
  .showHelpAfterError("(add --help for usage)");

program
  .command("api")
  .description("serve the HTTP API until SIGTERM")
  .action(() => withApp((app) => withTracing(app, "api", serveApi)));
program
  .command("worker")
  .description("run background jobs until SIGTERM")
  .action(() => withApp((app) => withTracing(app, "worker", serveWorker)));
program
  .command("migrate")
  .description("migrate the database; safe to repeat and to run concurrently")
  .option("--max-wait <seconds>", "how long to retry a lock that other sessions hold", wholeSeconds, 600)
  .action((options: { maxWait: number }) => withApp((app) => runMigrations(app, options)));
program
  .command("doctor")
  .description("check the configuration and its dependencies")
  .option("--json", "print JSON")
  .action(({ json }: { json?: boolean }) => withApp((app) => doctor(app, json)));
program
  .command("openapi")
  .description("print the OpenAPI document; requires neither database nor object store")
  .option("--write <file>", "write to a file instead of standard output")
  .action(({ write }: { write?: string }) => {
    const unused = {
      DATABASE_URL: "postgres://unused",
      STORAGE: "filesystem",
      STORAGE_DIR: "/nonexistent",
      LOG_LEVEL: "silent",
    };
    const app = openApp(readConfig(unused), { handlers });
    return writeOpenApi(app, write).finally(() => closeApp(app));
  });
setupCommand(program, withApp);
workspaceCommands(program, withApp);
campaignCommands(program, withApp);
keyCommands(program, withApp);
userCommands(program, withApp);
callCommands(program, withApp);
webhookCommands(program, withApp);
eventCommands(program, withApp);
recordingCommands(program, withApp);
privacyCommands(program, withApp);
holdCommands(program, withApp);
modelCommands(program);
transcriptCommands(program, withApp);
auditCommands(program, withApp);
backupCommands(program, withApp);
scoreCommands(program, withApp);
secretCommands(program, withApp);

try {
  await program.parseAsync();
} catch (error) {
  // Expected errors print only their message. Anything else is a bug and prints its stack trace.
  const expected = error instanceof ConfigError || error instanceof AppError || error instanceof MigrationBlocked;
  if (expected) stderr.write(`${error.message}\n`);
  else if (databaseUnavailable(error)) {
    stderr.write(`PostgreSQL is unavailable (${reason(error)}). Run \`hearback-server doctor\` to find the cause.\n`);
  } else stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
