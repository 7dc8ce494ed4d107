import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { inParallel } from "../waiting.ts";

export interface UnreadRequest {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Clients that send a request and do not read the response. */
export interface UnreadClients {
  readonly sockets: readonly Socket[];
  close(): void;
}

export async function openUnread(
  { port, path, headers = {} }: UnreadRequest,
  count: number,
  lanes = 50,
): Promise<UnreadClients> {
  const sockets: Socket[] = [];
  const head = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  await inParallel(count, lanes, async () => {
    const socket = connect({ port, host: "127.0.0.1" });
    sockets.push(socket);
    socket.on("error", () => {}).pause();
    await once(socket, "connect").catch(() => {});
    socket.write(`GET ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
  });
  return {
    sockets,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
