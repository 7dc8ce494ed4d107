import type { ClientOptions } from "@hearback/sdk";
import type { Command } from "commander";
import { type Connection, findAccount, openConnection } from "../connection/connect.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { type Environment, openStyle, type Style } from "../terminal/style.ts";

/** What every command of the program takes, before or after its name. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly profile?: string;
}

interface World {
  readonly env: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM: whatever is under way ends soon. */
  readonly signal: AbortSignal;
}

/** What a command works with. One for each run of the program, made by main.ts. */
export interface Context extends World {
  /** For stdout. */
  readonly style: Style;
  /** For stderr. */
  readonly errorStyle: Style;
  /** The service that the user means, as the user. */
  connect(command: Command, options?: Partial<ClientOptions>): Promise<Connection>;
  /** Writes a result. */
  print(text: string): void;
  /** Says something to the person at the keyboard that is no result; nothing with --quiet. */
  note(command: Command, text: string): void;
  /** Ends with this code although nothing is thrown: what could be done was done. */
  endWith(code: ExitCode): void;
  readonly exitCode: ExitCode;
}

export const globalOptions = (command: Command) => command.optsWithGlobals<GlobalOptions>();

export function openContext(world: World): Context {
  const { env, stdout, stderr } = world;
  let exitCode: ExitCode = exitCodes.done;
  return {
    ...world,
    style: openStyle(stdout, env),
    errorStyle: openStyle(stderr, env),
    async connect(command, options) {
      return openConnection(await findAccount(env, globalOptions(command).profile), options);
    },
    print: (text) => void stdout.write(`${text}\n`),
    note(command, text) {
      if (!globalOptions(command).quiet) stderr.write(`${text}\n`);
    },
    endWith(code) {
      exitCode = code;
    },
    get exitCode() {
      return exitCode;
    },
  };
}
