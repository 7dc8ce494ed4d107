import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { required } from "./environment.ts";
import { parseOutput, runServerCommand } from "./server-command.ts";
import { connectAsAdmin, engine, type TestWorkspace } from "./stack.ts";
import { createInitialData } from "./template.ts";

/** The installation of a stack host: an API without limits on `port`, and a worker. */
export interface Installation {
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
}

/** A workspace of its own in an installation that other test files use, too: their workspaces are in the same database. */
export interface SharedStack extends TestWorkspace {
  readonly port: number;
  readonly baseUrl: string;
}

async function findInstallation(): Promise<Installation> {
  const socket = connect(required("E2E_STACK_HOST")).setEncoding("utf8");
  const answer: Installation | { readonly error: string } = JSON.parse(await text(socket));
  if ("error" in answer) throw new Error(answer.error);
  return answer;
}

/**
 * Opens a workspace in the shared installation. For test files that need no settings of their own, start and stop no
 * processes, and select rows of their workspace only.
 */
export async function sharedStack(): Promise<SharedStack> {
  const { env, port } = await findInstallation();
  const command = async <T>(...args: string[]) => parseOutput<T>(await runServerCommand(env, args));
  const adminDb = connectAsAdmin(env);
  return {
    engine,
    env,
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    ...(await createInitialData(command)),
    adminDb,
    command,
    stop: () => adminDb.end(),
  };
}
