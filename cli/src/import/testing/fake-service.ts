import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface StoredCall {
  readonly id: string;
  readonly agent: string;
  readonly timestamp: number;
  readonly campaign: string;
  readonly sha256: string;
  readonly metadata: string;
}

/**
 * A fault to inject. cut: closes the connection before the request is processed. cutAfter: closes it before the response.
 * cutInAnswer: closes it within the response. foreign: another server responds.
 */
export type Fault =
  | { readonly kind: "cut" | "cutAfter" | "cutInAnswer" }
  | { readonly kind: "foreign"; readonly status: number; readonly text: string }
  | { readonly kind: "slow"; readonly ms: number }
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly code: string;
      readonly retryAfter?: number;
      readonly limit?: string;
    };

interface Hooks {
  fault: (path: string, count: number) => Fault | undefined;
  knowsAgent: (email: string) => boolean;
  /** Agents whose uploads never get a response. */
  neverTakes: (email: string) => boolean;
  /** Overrides members of the import response. */
  answersWith: Record<string, unknown>;
}

export interface FakeRequest {
  readonly path: string;
  readonly at: number;
}

type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** In-memory fake of the service with fault injection. */
export async function openFakeService({ port = 0 } = {}) {
  const calls = new Map<string, StoredCall>();
  const erased = new Set<string>();
  const failed = new Set<string>();
  const agents = new Set(["ann@example.com"]);
  const requests: FakeRequest[] = [];
  const counts = { uploads: 0, stored: 0, duplicates: 0, lookUps: 0, lookedUp: 0, inFlight: 0, maxInFlight: 0 };
  const hooks: Hooks = {
    fault: () => undefined,
    knowsAgent: (email) => agents.has(email.toLowerCase()),
    neverTakes: () => false,
    answersWith: {},
  };

  function lookUp(body: Buffer): Answer {
    const { fingerprints } = JSON.parse(body.toString()) as { fingerprints: Record<string, string | number>[] };
    counts.lookUps++;
    counts.lookedUp += fingerprints.length;
    const found = fingerprints.map(({ sha256, conversation_timestamp, agent_email, campaign_id }) => {
      if (!hooks.knowsAgent(String(agent_email))) return { status: "missing", id: null, reason: "agent_not_found" };
      const id = idOf(String(campaign_id), String(agent_email), Number(conversation_timestamp), String(sha256));
      if (erased.has(id)) return { status: "erased", id };
      if (!calls.has(id)) return { status: "missing", id, reason: "not_imported" };
      return { status: failed.has(id) ? "failed" : "present", id };
    });
    return [200, { calls: found }];
  }

  function importCall(request: IncomingMessage, body: Buffer): Answer {
    counts.uploads++;
    const parts = partsOf(body, request.headers["content-type"] ?? "");
    const text = (name: string) => parts.get(name)?.toString() ?? "";
    const [campaign, agent, timestamp] = [
      text("campaign_id"),
      text("agent_email"),
      Number(text("conversation_timestamp")),
    ];
    const file = parts.get("file") ?? Buffer.alloc(0);
    if (hooks.neverTakes(agent)) throw new Error("never taken");
    if (!hooks.knowsAgent(agent)) return problem(404, "agent_not_found");
    if (file.length === 0) return problem(422, "recording_empty");
    const sha256 = hash("sha256", file);
    const id = idOf(campaign, agent, timestamp, sha256);
    const duplicate = calls.has(id);
    counts[duplicate ? "duplicates" : "stored"]++;
    if (!duplicate)
      calls.set(id, { id, agent: agent.toLowerCase(), timestamp, campaign, sha256, metadata: text("metadata") });
    return [
      200,
      {
        id,
        status: "received",
        duplicate,
        agent: { email: agent },
        conversation_timestamp: timestamp,
        recording: { sha256 },
        ...hooks.answersWith,
      },
    ];
  }

  function invite(body: Buffer): Answer {
    const { email } = JSON.parse(body.toString()) as { email: string };
    if (email.startsWith("wrong")) return problem(422, "fields_invalid");
    const detail = `${email} is a reviewer, not an agent.`;
    if (email.startsWith("reviewer"))
      return problem(409, "user_exists", { errors: [{ part: "role", code: "not_an_agent", detail }] });
    if (agents.has(email)) return problem(409, "user_exists");
    agents.add(email);
    return [201, { id: "1", email }];
  }

  function answerTo(request: IncomingMessage, body: Buffer): Answer {
    if (request.url === "/calls/lookup") return lookUp(body);
    if (request.url === "/calls/audio") return importCall(request, body);
    return request.url === "/users/invite" ? invite(body) : problem(404, "not_found");
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    requests.push({ path, at: performance.now() });
    const fault = hooks.fault(path, requests.length);
    if (fault?.kind === "answer") return send(response, problem(fault.status, fault.code, fault), true);
    if (fault?.kind === "foreign")
      return void response.writeHead(fault.status, { connection: "close" }).end(fault.text);
    if (fault?.kind === "cut") return void request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (fault?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, fault.ms));
    const answer = answerTo(request, Buffer.concat(chunks));
    if (fault?.kind === "cutAfter") return void request.socket.destroy();
    if (fault?.kind === "cutInAnswer") {
      response.writeHead(200, { "content-length": "5000" }).write('{"id"');
      return void setTimeout(() => request.socket.destroy(), 5);
    }
    send(response, answer, false);
  }

  const server = createServer((request, response) => {
    counts.inFlight++;
    counts.maxInFlight = Math.max(counts.maxInFlight, counts.inFlight);
    response.once("close", () => counts.inFlight--);
    // A killed client aborts its request.
    serve(request, response).catch(() => response.destroy());
  });
  const listen = (at: number) =>
    new Promise<number>((resolve) => {
      server.listen(at, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  const listening = await listen(port);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const url = `http://127.0.0.1:${listening}`;
  return { url, calls, erased, failed, agents, requests, counts, hooks, close, reopen: () => listen(listening) };
}
export type FakeService = Awaited<ReturnType<typeof openFakeService>>;

export function idOf(campaign: string, agent: string, timestamp: number, sha256: string): string {
  const digits = hash("sha1", [campaign, agent.toLowerCase(), timestamp, sha256].join("\n"));
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");
}

interface ProblemMembers {
  readonly retryAfter?: number;
  readonly limit?: string;
  readonly errors?: readonly { readonly part: string; readonly code: string; readonly detail: string }[];
}

function problem(status: number, code: string, more: ProblemMembers = {}): Answer {
  const headers = more.retryAfter === undefined ? {} : { "retry-after": String(more.retryAfter) };
  const body = { status, code, detail: `It is ${code}.`, request_id: "r-1", limit: more.limit, errors: more.errors };
  return [status, body, headers];
}

function send(response: ServerResponse, [status, body, headers = {}]: Answer, unread: boolean): void {
  const text = JSON.stringify(body);
  const length = { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  // Close the connection: an unread body would be parsed as the next request.
  response.writeHead(status, { ...length, ...headers, ...(unread && { connection: "close" }) }).end(text);
}

function partsOf(body: Buffer, contentType: string): Map<string, Buffer> {
  const boundary = Buffer.from(`--${contentType.split("boundary=")[1]}`);
  const parts = new Map<string, Buffer>();
  for (let from = body.indexOf(boundary); from !== -1; ) {
    const to = body.indexOf(boundary, from + boundary.length);
    if (to === -1) break;
    const headEnd = body.indexOf("\r\n\r\n", from);
    const name = /name="([^"]*)"/.exec(body.toString("latin1", from, headEnd))?.[1] ?? "";
    parts.set(name, body.subarray(headEnd + 4, to - 2));
    from = to;
  }
  return parts;
}
