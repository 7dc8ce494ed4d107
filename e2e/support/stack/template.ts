import { join } from "node:path";
import pg from "pg";
import { baseEnv, type DatabaseUrls, required } from "./environment.ts";
import type { Release } from "./release.ts";
import { parseOutput } from "./server-command.ts";

/** Initial data of every workspace. */
export interface InitialData {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly agentEmail: string;
  readonly apiKey: string;
}

export const templateOf = (release: Release) => `e2e_template_${release.name}`;

interface TemplateOptions {
  readonly postgres: DatabaseUrls;
  readonly release: Release;
}

/** Creates a template database once per PostgreSQL and release. Every installation starts as a copy of it. */
export async function ensureTemplate(admin: pg.Pool, { postgres, release }: TemplateOptions): Promise<InitialData> {
  const template = templateOf(release);
  const made = await admin.query<{ told: string }>(
    "select shobj_description(oid, 'pg_database') as told from pg_database where datname = $1",
    [template],
  );
  if (made.rows[0]?.told) return JSON.parse(made.rows[0].told);
  await admin.query(`drop database if exists ${template}`);
  await admin.query(`create database ${template} owner hearback_owner`);
  const dir = join(required("E2E_DIR"), template);
  const env = { ...baseEnv(template, postgres), STORAGE: "filesystem", STORAGE_DIR: dir };
  const command = async <T>(...args: string[]) => parseOutput<T>(await release.runCommand(env, args));
  await command("migrate");
  const begun = await createInitialData(command);
  // Written last: an incomplete template is discarded.
  await admin.query(`comment on database ${template} is ${pg.escapeLiteral(JSON.stringify(begun))}`);
  return begun;
}

/** Creates a workspace with a campaign, an agent and a key. */
export async function createInitialData(command: <T>(...args: string[]) => Promise<T>): Promise<InitialData> {
  const workspace = await command<{ id: string }>("workspace", "create", "--name", "Acme", "--json");
  const [campaignId, agentEmail] = ["support-fr", "ann@example.com"];
  const within = ["--workspace", workspace.id, "--json"];
  const [key] = await Promise.all([
    command<{ key: string }>("key", "create", ...within, "--name", "e2e", "--scope", "import"),
    command("campaign", "create", ...within, "--id", campaignId, "--name", "Support"),
    command("user", "create", ...within, "--email", agentEmail, "--name", "Ann Lee", "--role", "agent"),
  ]);
  return { workspaceId: workspace.id, campaignId, agentEmail, apiKey: key.key };
}
