import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./stack.ts";

export interface CountingGate {
  readonly baseUrl: string;
  /** When each request arrived, by `performance.now()`. */
  readonly arrivals: readonly number[];
  /** Lets everything through to the service. */
  open(): Promise<void>;
  /** Cuts every connection and refuses new ones, as a machine does on which the service does not run. */
  shut(): Promise<void>;
  /** Answers 503 to everything, as a proxy does whose service does not run. */
  excuse(): void;
}

const excuse = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n";

/** Stands before a service, at a port that stays the same, and notes when requests without a body arrive. */
export async function openCountingGate(target: number): Promise<CountingGate> {
  const port = await freePort();
  const arrivals: number[] = [];
  const sockets = new Set<Socket>();
  let excusing = false;

  const server = createServer((client) => {
    const upstream = excusing ? undefined : connect(target, "127.0.0.1");
    client.on("data", (chunk) => {
      // A client waits for its answer before it asks again, so that no chunk holds two requests.
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
