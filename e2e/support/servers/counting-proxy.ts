import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "../stack/free-port.ts";

export interface CountingProxy {
  readonly baseUrl: string;
  /** Arrival times of the requests (`performance.now()`). */
  readonly arrivals: readonly number[];
  /** Forwards everything to the service. */
  open(): Promise<void>;
  /** Closes all connections and refuses new ones, like a host without the service. */
  shut(): Promise<void>;
  /** Responds with 503, like a proxy whose service is down. */
  excuse(): void;
}

const excuse = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n";

/** A proxy with a fixed port that records the arrival of requests without a body. */
export async function openCountingProxy(target: number): Promise<CountingProxy> {
  const port = await freePort();
  const arrivals: number[] = [];
  const sockets = new Set<Socket>();
  let excusing = false;

  const server = createServer((client) => {
    const upstream = excusing ? undefined : connect(target, "127.0.0.1");
    client.on("data", (chunk) => {
      // Clients do not pipeline, so a chunk never contains two requests.
      if (chunk.subarray(0, 4).toString() === "GET ") arrivals.push(performance.now());
      if (upstream) upstream.write(chunk);
      else client.write(excuse);
    });
    upstream?.pipe(client);
    for (const socket of [client, upstream]) {
      if (!socket) continue;
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream?.destroy();
      });
    }
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    arrivals,
    async open() {
      if (excusing) cut();
      excusing = false;
      if (server.listening) return;
      server.listen(port, "127.0.0.1", 1024);
      await once(server, "listening");
    },
    async shut() {
      if (!server.listening) return;
      server.close();
      cut();
      await once(server, "close");
    },
    excuse() {
      excusing = true;
      cut();
    },
  };
}
