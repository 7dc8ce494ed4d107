import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export const goodKey = `hb_c0_${"k".repeat(49)}`;

interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly key: string | undefined;
  readonly ifMatch: string | undefined;
}

export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Writes the response itself, instead of status and body. */
  readonly by?: (response: ServerResponse) => void;
}

type Answers = Readonly<Record<string, (requests: StubRequest) => Answer>>;

const problem = (status: number, code: string, detail: string): Answer => ({
  status,
  headers: { "content-type": "application/problem+json" },
  body: { type: `/errors/${code}`, title: "No", status, code, detail, request_id: "req-1", errors: [] },
});
export const refused = () => problem(401, "unauthenticated", "The key is missing or not valid.");
export const forbidden = () => problem(403, "scope_missing", "This API key lacks the scope.");
export { problem };

const rate = { limit: 200, remaining: 200 };
const atOnce = { limit: 100, used: 0 };
const defaults: Answers = {
  "GET /readyz": () => ({ body: { status: "ready" } }),
  "GET /limits": () => ({
    body: {
      key: { requests_per_second: rate, uploads_at_once: atOnce },
      workspace: {
        requests_per_second: rate,
        imports_per_second: rate,
        uploads_at_once: atOnce,
        calls_per_day: { limit: null, used: null, resets_at: "2026-11-16T00:00:00.000Z" },
        stored_bytes: { limit: null, used: null },
      },
      interface: { recording_bytes: 536_870_912 },
    },
  }),
  "GET /campaigns": () => ({ body: { campaigns: [{ id: "support-fr" }, { id: "sales-uk" }], next: null } }),
  "POST /calls/audio": () => problem(422, "fields_invalid", "Values are wrong."),
  "GET /calls": () => ({ body: { calls: [], next: null } }),
  "GET /keys": () => ({ body: { keys: [], next: null } }),
};

/** A stub service on localhost. The given responses override the defaults. */
export async function openStubService(overrides: Answers = {}) {
  const requests: StubRequest[] = [];
  const server = createServer(async (request, response) => {
    const parsed = await parseRequest(request);
    requests.push(parsed);
    const answers = { ...defaults, ...overrides };
    const keyMissing = parsed.path !== "/readyz" && parsed.key !== goodKey;
    const answer = keyMissing
      ? refused()
      : (answers[`${parsed.method} ${parsed.path}`]?.(parsed) ?? problem(404, "not_found", "There is nothing here."));
    if (answer.by) return answer.by(response);
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    env: { HEARBACK_URL: url, HEARBACK_API_KEY: goodKey },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function parseRequest(request: IncomingMessage): Promise<StubRequest> {
  const url = new URL(request.url ?? "/", "http://service");
  const body = await text(request).catch(() => "");
  const key = request.headers["x-api-key"];
  const { method = "GET" } = request;
  const ifMatch = request.headers["if-match"];
  return {
    ...{ method, path: url.pathname, query: url.searchParams, body, ifMatch },
    key: typeof key === "string" ? key : undefined,
  };
}
