import type { ClientOptions } from "@hearback/sdk";
import type { Command } from "commander";
import { type Connection, findAccount, openConnection } from "../connection/connect.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { type Environment, openStyle, type Style } from "../terminal/style.ts";

/** Options that every command accepts, before or after its name. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly profile?: string;
}

export interface ContextOptions {
  readonly env: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM. Work in progress must end soon. */
  readonly signal: AbortSignal;
}

/** Dependencies of a command. One per run. */
export interface Context extends ContextOptions {
  /** Text style for stdout. */
  readonly style: Style;
  /** Text style for stderr. */
  readonly errorStyle: Style;
  /** Opens a client for the selected profile. */
  connect(command: Command, options?: Partial<ClientOptions>): Promise<Connection>;
  /** Writes a result to stdout. */
  print(text: string): void;
  /** Writes a message that is not a result to stderr. Silent with --quiet. */
  note(command: Command, text: string): void;
  /** Sets the exit code of a command that completes without throwing. */
  setExitCode(code: ExitCode): void;
  readonly exitCode: ExitCode;
}

export const globalOptions = (command: Command) => command.optsWithGlobals<GlobalOptions>();

export function openContext(options: ContextOptions): Context {
  const { env, stdout, stderr } = options;
  let exitCode: ExitCode = exitCodes.done;
  return {
    ...options,
    style: openStyle(stdout, env),
    errorStyle: openStyle(stderr, env),
    async connect(command, clientOptions) {
      return openConnection(await findAccount(env, globalOptions(command).profile), clientOptions);
    },
    print: (text) => void stdout.write(`${text}\n`),
    note(command, text) {
      if (!globalOptions(command).quiet) stderr.write(`${text}\n`);
    },
    setExitCode(code) {
      exitCode = code;
    },
    get exitCode() {
      return exitCode;
    },
  };
}
