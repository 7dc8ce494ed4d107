import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { required } from "./environment.ts";

export interface CommandRequest {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input: string;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function runInHost(request: CommandRequest): Promise<CommandResult> {
  const socket = connect(required("E2E_COMMAND_HOST"));
  socket.setTimeout(170_000, () => socket.destroy(new Error(`no end of: hearback-server ${request.args.join(" ")}`)));
  socket.end(JSON.stringify(request));
  return JSON.parse(await text(socket));
}

/** Runs `hearback-server …` with this environment, and with `input` as standard input. */
export async function runServerCommand(env: Readonly<Record<string, string>>, args: readonly string[], input = "") {
  const result = await runInHost({ args, env, input });
  if (result.code === 0) return result.stdout;
  const failure = new Error(`Command failed: hearback-server ${args.join(" ")}\n${result.stderr}${result.stdout}`);
  throw Object.assign(failure, result);
}

/** The output of a command, parsed if it is JSON. */
export const parseOutput = <T>(output: string) => (/^\s*[[{]/.test(output) ? JSON.parse(output) : output) as T;
