import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type AppError, bodyIncomplete, bodyTooSlow, requestMalformed } from "../errors.ts";
import { toProblem } from "./problem.ts";

/** How much of a rejected body is still read, so that the client can receive the response. */
const drainBytes = 64 * 1024 * 1024;
const drainMs = 30_000;

/** Rejects requests that Node accepts but that a proxy may interpret differently (request smuggling). */
export function refuseAmbiguous({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts > 1) throw requestMalformed.withDetail("The request has more than one Host header.");
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    throw requestMalformed.withDetail(`This service supports HTTP/1.1, not HTTP/${httpVersion}.`);
  }
}

/** Connections with a response that was sent before the request was complete. */
const answered = new WeakSet<Socket>();

/** Keeps reading a rejected body for a while, then closes the connection. */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.readableEnded) return;
  const { socket } = request;
  answered.add(socket);
  // The handler may have paused the request.
  request.resume();
  request.once("end", () => answered.delete(socket));
  const from = socket.bytesRead;
  const until = Date.now() + drainMs;
  const timer = setInterval(() => {
    if (!request.complete && Date.now() < until && socket.bytesRead - from < drainBytes) return;
    clearInterval(timer);
    if (!request.complete) request.destroy();
  }, 250);
  request.once("close", () => clearInterval(timer));
}

/** Responds to a connection without a complete, valid HTTP request: malformed, incomplete or too slow. */
export function refuseConnection(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === "ECONNRESET" || !socket.writable || answered.has(socket)) {
    socket.destroy();
    return;
  }
  const problem = toProblem(connectionError(error.code), randomUUID());
  const body = JSON.stringify(problem);
  const head = [
    "HTTP/1.1 400 Bad Request",
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${problem.request_id}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function connectionError(code: string | undefined): AppError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return bodyTooSlow.withDetail("The request did not arrive in time.");
  if (code === "HPE_INVALID_EOF_STATE") return bodyIncomplete();
  return requestMalformed();
}

/** Enforces timeouts during shutdown: after close(), Node no longer checks its own. */
export function forceCloseOnShutdown(
  server: Server,
  { headersMs, requestMs }: { headersMs: number; requestMs: number },
): void {
  const busy = new Map<Socket, number>();
  server.on("connection", (socket: Socket) => {
    busy.set(socket, 0);
    socket.once("close", () => busy.delete(socket));
  });
  const count = (socket: Socket, change: number) => {
    const requests = busy.get(socket);
    if (requests !== undefined) busy.set(socket, requests + change);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    count(request.socket, 1);
    response.once("close", () => count(request.socket, -1));
  };
  server.on("request", onRequest).on("checkContinue", onRequest);
  const close = server.close.bind(server);
  server.close = (done) => {
    setTimeout(() => {
      for (const [socket, requests] of busy) if (requests === 0) socket.destroy();
    }, headersMs).unref();
    setTimeout(() => server.closeAllConnections(), requestMs).unref();
    return close(done);
  };
}
