import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { type Answer, send } from "./http.ts";
import type { Stack } from "./stack.ts";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
  /** What it was answered with. */
  readonly status: number;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** The ids of what it took, each once. */
  taken(): Set<string>;
  close(): Promise<void>;
}

type Reply = number | { status: number; headers: Record<string, string> } | "nothing";

/** A webhook's receiver. `answer` says what it answers to its nth request, which is the nth of its event. */
export async function aReceiver(
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

/** Listens, takes every connection and counts it: nobody is meant to come. */
export async function aCanary(host: string, port = 0) {
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

export interface Webhook {
  readonly id: string;
  readonly secret: string;
  readonly enabled: boolean;
  readonly disabled: { readonly reason: string } | null;
}

export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
}

export interface EventPage {
  readonly events: readonly { readonly id: string; readonly type: string; readonly data: Record<string, unknown> }[];
  readonly next: string;
  readonly more: boolean;
}

/** A client of /events and /webhooks, with a key that may everything. */
export interface EventClient {
  readonly apiKey: string;
  ask<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>>;
  createWebhook(url: string, more?: object): Promise<Webhook>;
  deliveries(id: string, query?: string): Promise<readonly Delivery[]>;
}

export async function eventClient(stack: Stack, baseUrl: string): Promise<EventClient> {
  const { key: apiKey } = await stack.command<{ key: string }>(
    ...["key", "create", "--workspace", stack.workspaceId, "--name", "events", "--scope", "read", "manage", "import"],
    "--json",
  );
  const ask = <Body>(method: string, path: string, body?: unknown) =>
    send<Body>(`${baseUrl}${path}`, {
      method,
      headers: { "x-api-key": apiKey, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    apiKey,
    ask,
    async createWebhook(url, more = {}) {
      const answer = await ask<Webhook>("POST", "/webhooks", { url, ...more });
      if (answer.status !== 201) throw new Error(`no webhook: ${answer.status} ${answer.text}`);
      return answer.body;
    },
    async deliveries(id, query = "?limit=200") {
      return (await ask<{ deliveries: Delivery[] }>("GET", `/webhooks/${id}/deliveries${query}`)).body.deliveries;
    },
  };
}
