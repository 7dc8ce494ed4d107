import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { compileCache } from "./environment.ts";

const main = join(import.meta.dirname, "../../../cli/src/main.ts");

/** A running `hearback` command. */
export interface CommandRun {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Output so far. */
  stdout(): string;
  stderr(): string;
  /** Exit code, or null if it was killed. */
  readonly ended: Promise<number | null>;
}

export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** NODE_OPTIONS of the command. */
  readonly nodeOptions?: string;
}

/** Starts the command without a terminal. */
export function startCommand({ baseUrl, apiKey, nodeOptions }: Connection, ...args: string[]): CommandRun {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env.PATH,
      ...compileCache(),
      HOME: "/nonexistent",
      HEARBACK_URL: baseUrl,
      HEARBACK_API_KEY: apiKey,
      ...(nodeOptions !== undefined && { NODE_OPTIONS: nodeOptions }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
  return {
    child,
    pid: child.pid ?? 0,
    stdout: () => out,
    stderr: () => err,
    ended: once(child, "close").then(([code]) => code as number | null),
  };
}

/** Runs the command and waits for its end. */
export async function runCommand(connection: Connection, ...args: string[]) {
  const run = startCommand(connection, ...args);
  const code = await run.ended;
  return { code, stdout: run.stdout(), stderr: run.stderr() };
}
