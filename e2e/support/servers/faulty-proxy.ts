import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface FaultyProxy {
  /** Closes all connections, also new ones, until `restore`. */
  cut(): void;
  restore(): void;
  /**
   * Closes the connection of the next request whose first line matches: in the middle of the request, or when the response
   * arrives from the service. Resolves when it has happened.
   */
  breakNext(part: "request" | "response", request: RegExp): Promise<void>;
  close(): Promise<void>;
}

interface Fault {
  readonly part: "request" | "response";
  readonly request: RegExp;
  readonly done: () => void;
}

/** A TCP proxy to a local port whose connections fail on demand. */
export async function openFaultyProxy({ port, target }: { port: number; target: number }): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let fault: Fault | undefined;

  const server = createServer((client) => {
    if (isCut) return client.resetAndDestroy();
    const upstream = connect(target, "127.0.0.1");
    const end = () => {
      client.resetAndDestroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    /** The response to the request that was just forwarded is lost. */
    let onLost: (() => void) | undefined;
    client.on("data", (chunk) => {
      // Browsers do not pipeline, so a request starts with a chunk.
      const [line = ""] = chunk.subarray(0, 200).toString("latin1").split("\r\n");
      const broken = fault?.request.test(line) ? fault : undefined;
      if (broken) fault = undefined;
      if (broken?.part === "response") onLost = broken.done;
      if (broken?.part !== "request") return upstream.write(chunk);
      upstream.write(chunk.subarray(0, chunk.length / 2), () => {
        end();
        broken.done();
      });
    });
    upstream.on("data", (chunk) => {
      if (!onLost) return client.write(chunk);
      end();
      onLost();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const endAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    cut() {
      isCut = true;
      endAll();
    },
    restore() {
      isCut = false;
    },
    breakNext: (part, request) =>
      new Promise((done) => {
        fault = { part, request, done };
      }),
    async close() {
      server.close();
      endAll();
      await once(server, "close");
    },
  };
}
