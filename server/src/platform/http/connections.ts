import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AppError, bodyIncomplete } from "../errors.ts";
import { toProblem } from "./problem.ts";

/** What is still read of a body that was refused, so that the client gets to see the answer. */
const drainBytes = 64 * 1024 * 1024;
const drainMs = 30_000;

/** Refuses what Node takes and a proxy before us may have read otherwise. */
export function refuseAmbiguous({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts > 1) throw new AppError("request_malformed", "The request has more than one Host header.");
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    throw new AppError("request_malformed", `This service speaks HTTP/1.1, not HTTP/${httpVersion}.`);
  }
}

/** Connections on which a request was answered before all of it came. */
const answered = new WeakSet<Socket>();

/** Reads on for a while after a body was refused unread, then cuts the connection. */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.readableEnded) return;
  const { socket } = request;
  answered.add(socket);
  // Whoever stopped reading it, for good or to wait, reads no more.
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

/** What is not HTTP, or ended or came too slowly before it was a request. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
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
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function connectionError(code: string | undefined): AppError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new AppError("body_too_slow", "The request did not arrive in time.");
  if (code === "HPE_INVALID_EOF_STATE") return bodyIncomplete();
  return new AppError("request_malformed", "The request is not proper HTTP/1.1.");
}

/** Ends what would keep a stopping server from stopping: Node itself no longer looks at its timeouts then. */
export function limitClosing(server: Server, { headersMs, requestMs }: { headersMs: number; requestMs: number }): void {
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
