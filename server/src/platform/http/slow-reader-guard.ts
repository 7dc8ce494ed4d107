import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface ReadingPace {
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

/** Counters of libuv's stream handle: bytes written to it, and bytes that the kernel has not accepted yet. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}
const handleOf = (socket: Socket) => (socket as unknown as { _handle?: Handle | null })._handle ?? undefined;

/** A period in which data was waiting for the client all the time. */
interface Wait {
  readonly since: number;
  readonly sent: number;
}

const maxCheckIntervalMs = 1_000;

/**
 * Closes connections whose client reads a response below the minimum rate for a whole grace period. Only time in which
 * data is waiting to be sent counts, so a response that takes long to produce is not affected.
 */
export function guardSlowReaders(server: Server, { graceMs, minBytesPerSecond }: ReadingPace): void {
  const minBytes = (minBytesPerSecond * graceMs) / 1000;
  const checkIntervalMs = Math.min(maxCheckIntervalMs, graceMs / 4);
  const open = new Set<ServerResponse>();
  const waits = new WeakMap<Socket, Wait>();
  let checkedAt = performance.now();

  function check(): void {
    const now = performance.now();
    // If this process was blocked, the clients' rates are unknown: restart all periods.
    const wasBlocked = now - checkedAt > 3 * checkIntervalMs;
    checkedAt = now;
    for (const { socket } of open) {
      if (socket) checkSocket(socket, now, wasBlocked);
    }
  }

  function checkSocket(socket: Socket, now: number, wasBlocked: boolean): void {
    const handle = handleOf(socket);
    if (!handle || socket.writableLength === 0) {
      waits.delete(socket);
      return;
    }
    const sent = handle.bytesWritten - handle.writeQueueSize;
    const wait = waits.get(socket);
    if (!wait || wasBlocked || sent - wait.sent >= minBytes) waits.set(socket, { since: now, sent });
    else if (now - wait.since >= graceMs) socket.destroy();
  }

  const onRequest = (_request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once("close", () => open.delete(response));
  };
  server.on("request", onRequest).on("checkContinue", onRequest);
  const timer = setInterval(check, checkIntervalMs).unref();
  server.once("close", () => clearInterval(timer));
}
