import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
  /** Status of the response. */
  readonly status: number;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Ids of the accepted events. */
  taken(): Set<string>;
  close(): Promise<void>;
}

type Reply = number | { status: number; headers: Record<string, string> } | "nothing";

/** A webhook receiver. `answer` returns the response to the nth request, which is the nth attempt of its event. */
export async function openReceiver(
  answer: (nth: number, nthOfEvent: number) => Reply = () => 200,
  host = "127.0.0.1",
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const id = request.headers["webhook-id"];
    const before = received.filter(({ headers }) => headers["webhook-id"] === id).length;
    const reply = answer(received.length, before);
    const status = reply === "nothing" ? 0 : typeof reply === "number" ? reply : reply.status;
    received.push({ headers: request.headers, body, at: Date.now(), status });
    if (reply !== "nothing") response.writeHead(status, typeof reply === "number" ? {} : reply.headers).end("ok");
  }).listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hook?token=only-the-receiver-knows`,
    port,
    received,
    taken: () =>
      new Set(received.filter(({ status }) => status === 200).map(({ headers }) => String(headers["webhook-id"]))),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Counts connections to an address that must get none. */
export async function openConnectionCounter(host: string, port = 0) {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections++;
    socket.on("error", () => {}).end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  }).listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => server.close(),
  };
}
