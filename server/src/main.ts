#!/usr/bin/env node
import { writeFile } from "node:fs/promises";
import { stderr, stdout } from "node:process";
import { Command } from "commander";
import { auditCommands } from "./commands/audit.ts";
import { callCommands } from "./commands/call.ts";
import { campaignCommands } from "./commands/campaign.ts";
import { doctor, reason } from "./commands/doctor.ts";
import { keyCommands } from "./commands/key.ts";
import { privacyCommands } from "./commands/privacy.ts";
import { recordingCommands } from "./commands/recordings.ts";
import { setupCommand } from "./commands/setup.ts";
import { userCommands } from "./commands/user.ts";
import { webhookCommands } from "./commands/webhook.ts";
import { workspaceCommands } from "./commands/workspace.ts";
import { renewEventEpoch } from "./events/renew-event-epoch.ts";
import { type App, closeApp, openApp } from "./platform/app.ts";
import { ConfigError, readConfig } from "./platform/config.ts";
import { databaseUnavailable } from "./platform/database/unavailable.ts";
import { AppError } from "./platform/errors.ts";

const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
});

// What only one command needs is loaded by it: the others start faster and leave more memory to their work.

async function withApp(work: (app: App) => Promise<void>): Promise<void> {
  const app = openApp(readConfig(process.env));
  try {
    await work(app);
  } finally {
    await closeApp(app);
  }
}

async function serveApi(app: App): Promise<void> {
  const { openApi } = await import("./api.ts");
  await renewEventEpoch(app);
  const api = await openApi(app);
  const address = await api.listen({ host: app.config.host, port: app.config.port });
  app.log.info({ address }, "api ready");
  await stopped;
  app.log.info("stopping: finishing what is under way");
  await api.close();
}

async function serveWorker(app: App): Promise<void> {
  const { runWorker } = await import("./worker.ts");
  await renewEventEpoch(app);
  const worker = await runWorker(app);
  await stopped;
  app.log.info("stopping: finishing what is under way");
  await worker.stop();
}

async function runMigrations(app: App): Promise<void> {
  const { ownerUrl } = app.config.database;
  if (!ownerUrl) throw new ConfigError("DATABASE_OWNER_URL is not set: migrate runs as the role that owns the tables.");
  const { migrateAll } = await import("./migrate-all.ts");
  const applied = await migrateAll(app, ownerUrl);
  stdout.write(
    applied.length > 0 ? `${applied.map((name) => `applied ${name}`).join("\n")}\n` : "Nothing to migrate.\n",
  );
}

async function writeOpenApi(app: App, file: string | undefined): Promise<void> {
  const { openApi } = await import("./api.ts");
  const api = await openApi(app);
  const text = `${JSON.stringify(api.swagger(), null, 2)}\n`;
  if (file) await writeFile(file, text);
  else stdout.write(text);
  await api.close();
}

const program = new Command("hearback-server")
  .description("Hearback: receives recorded calls, keeps them safe, makes them playable and searchable.")
  .addHelpText("after", "\nSettings are environment variables: deploy/example.env explains every one of them.")
  .showHelpAfterError("(add --help to see what it takes)");

program
  .command("api")
  .description("serve the HTTP interface until SIGTERM")
  .action(() => withApp(serveApi));
program
  .command("worker")
  .description("do the background work until SIGTERM")
  .action(() => withApp(serveWorker));
program
  .command("migrate")
  .description("bring the database up to date; safe to repeat, also by several at once")
  .action(() => withApp(runMigrations));
program
  .command("doctor")
  .description("say in plain words what is wrong with the configuration")
  .option("--json", "print JSON")
  .action(({ json }: { json?: boolean }) => withApp((app) => doctor(app, json)));
program
  .command("openapi")
  .description("print the OpenAPI document; it needs neither database nor store")
  .option("--write <file>", "write it to a file instead")
  .action(({ write }: { write?: string }) => {
    const unused = {
      DATABASE_URL: "postgres://unused",
      STORAGE: "filesystem",
      STORAGE_DIR: "/nonexistent",
      LOG_LEVEL: "silent",
    };
    const app = openApp(readConfig(unused));
    return writeOpenApi(app, write).finally(() => closeApp(app));
  });
setupCommand(program, withApp);
workspaceCommands(program, withApp);
campaignCommands(program, withApp);
keyCommands(program, withApp);
userCommands(program, withApp);
callCommands(program, withApp);
webhookCommands(program, withApp);
recordingCommands(program, withApp);
privacyCommands(program, withApp);
auditCommands(program, withApp);

try {
  await program.parseAsync();
} catch (error) {
  // A wrong setting or a refusal is for the reader; anything else is a defect and shows where it happened.
  const expected = error instanceof ConfigError || error instanceof AppError;
  if (expected) stderr.write(`${error.message}\n`);
  else if (databaseUnavailable(error)) {
    stderr.write(`PostgreSQL cannot answer (${reason(error)}). \`hearback-server doctor\` says what is wrong.\n`);
  } else stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
