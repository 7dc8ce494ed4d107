import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  /** Rewrites the URL to go through this proxy. */
  url(target: string): string;
  /** Routes new connections to the host and port of this URL. Closes open connections unless `keep` is set. */
  redirect(target: string, options?: { keep?: boolean }): void;
  close(): void;
}

/** A TCP proxy on loopback with a changeable target. Simulates the virtual IP address of a failover cluster. */
export async function openTcpProxy(target: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
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
    }
    client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxyPort = String(typeof address === "object" && address ? address.port : 0);
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: (url) => Object.assign(new URL(url), { hostname: "127.0.0.1", port: proxyPort }).href,
    redirect(url, { keep = false } = {}) {
      ({ hostname, port } = new URL(url));
      if (!keep) closeConnections();
    },
    close() {
      server.close();
      closeConnections();
    },
  };
}
