// Holds the installation that test files share: starting an API and a worker for each file takes several seconds of
// processor time. Listens on the Unix socket given as argument and opens the installation at the first request. Its standard
// input is a pipe from run.ts: when that ends, however the run ends, it stops everything that it has started.
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { argv, stdin, stdout } from "node:process";
import { alive } from "../measuring/machine.ts";
import { freePort } from "./free-port.ts";
import type { Installation } from "./shared-stack.ts";
import { openStack, type ServerProcess, type Stack, unlimited } from "./stack.ts";

interface Opened {
  readonly stack: Stack;
  readonly processes: readonly ServerProcess[];
  readonly installation: Installation;
}

async function open(): Promise<Opened> {
  const port = await freePort();
  const stack = await openStack(undefined, { ...unlimited, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const api = await stack.startApi({ port });
  return { stack, processes: [api, await stack.startWorker()], installation: { env: stack.env, port } };
}

let opened: Promise<Opened> | undefined;

async function answer(socket: Socket): Promise<void> {
  try {
    const before = await opened;
    if (before && !before.processes.every(({ pid }) => alive(pid)))
      throw new Error("a process of the shared stack ended");
    opened ??= open();
    socket.end(JSON.stringify((await opened).installation));
  } catch (error) {
    socket.end(JSON.stringify({ error: String(error) }));
  }
}

async function close(): Promise<void> {
  await (await opened?.catch(() => undefined))?.stack.stop();
  process.exit();
}

// An interrupt goes to all processes of the terminal; this one ends when run.ts has ended.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => void close());
stdin.resume().once("close", () => void close());
const listener = createServer({ allowHalfOpen: true }, (socket) => void answer(socket)).listen(argv[2]);
await once(listener, "listening");
stdout.write("ready\n");
