// Runs `hearback-server` commands one after another in one process. Starting a process for each command takes about a
// second of processor time. Listens on the Unix socket given as argument; one connection is one command.
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { createServer, type Socket } from "node:net";
import { argv, stdout } from "node:process";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { server } from "./environment.ts";
import type { CommandRequest, CommandResult } from "./server-command.ts";

const input = new PassThrough();
Object.defineProperty(process, "stdin", { value: input, enumerable: true });
// Also for modules that import it from node:process.
syncBuiltinESMExports();
// Every run of main.ts listens for signals.
process.setMaxListeners(0);

let runs = 0;

async function run({ args, env, input: line }: CommandRequest): Promise<CommandResult> {
  const written = { stdout: "", stderr: "" };
  const original = { env: process.env, argv: process.argv, exit: process.exit };
  const writers = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ["stdout", "stderr"] as const) {
    process[name].write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      written[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      const done = rest.at(-1);
      if (typeof done === "function") process.nextTick(done as () => void);
      return true;
    }) as typeof process.stdout.write;
  }
  process.env = { ...env };
  process.argv = [original.argv[0] ?? "", server, ...args];
  process.exitCode = 0;
  let exited: number | undefined;
  process.exit = ((code = 0) => {
    exited ??= Number(code);
    throw new Error(`exit ${code}`);
  }) as typeof process.exit;
  input.write(line);
  try {
    // The query makes main.ts run again. The modules that it imports are loaded already.
    await import(`${pathToFileURL(server).href}?run=${++runs}`);
    return { code: exited ?? Number(process.exitCode), ...written };
  } finally {
    input.read();
    process.exitCode = 0;
    Object.assign(process, original);
    Object.assign(process.stdout, { write: writers.stdout });
    Object.assign(process.stderr, { write: writers.stderr });
  }
}

let queue: Promise<unknown> = Promise.resolve();

async function answer(socket: Socket): Promise<void> {
  const request: CommandRequest = JSON.parse(await text(socket));
  const result = queue.then(() => run(request));
  queue = result.catch(() => {});
  socket.end(JSON.stringify(await result.catch((error: unknown) => ({ code: 1, stdout: "", stderr: String(error) }))));
}

const [, , path] = argv;
const listener = createServer({ allowHalfOpen: true }, (socket) => void answer(socket)).listen(path);
await once(listener, "listening");
stdout.write("ready\n");
