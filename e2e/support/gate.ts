import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Gate {
  readonly port: number;
  /** Cuts every connection and refuses new ones. */
  shut(): Promise<void>;
}

/** Forwards connections to a port of this machine until it is shut. */
export async function openGate(target: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the gate has no port");
  return {
    port: address.port,
    async shut() {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
