import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../stack/free-port.ts";

/** Ways in which a network or an engine behind it can misbehave. Those that take longest are first. */
export const faults = [
  /** Accepts data and drops it. Connections that lost data stay open and dead, also after `heal`. */
  "timeout",
  /** Forwards a few bytes at a time. */
  "slicing",
  /** Few bytes per second. */
  "bandwidth",
  /** Drops the data of all connections and closes them seconds later. */
  "slow close",
  /** Every chunk is delayed, in both directions. */
  "latency",
  /** Closes each connection after some bytes. */
  "limit",
  /** Closes all connections and refuses new ones. */
  "down",
  /** Resets all connections (RST), also new ones. */
  "reset",
] as const;
export type Fault = (typeof faults)[number];

const latencyMs = 500;
const slowCloseMs = 5_000;
const limitBytes = 600;
/** Pauses and rates of the faults that forward a chunk in pieces. */
const paces = { bandwidth: { pauseMs: 50, bytesPerMs: 20 }, slicing: { pauseMs: 1, bytesPerMs: 7 } };

/** Where a fault begins: after a request that matches, or after the engine has sent this many bytes. */
export type Trigger = { readonly request: RegExp } | { readonly responseBytes: number };

/** A TCP proxy on loopback to one engine, whose connections misbehave on demand. */
export interface ToxicProxy {
  readonly port: number;
  /** The URL with the port of this proxy. */
  url(target: string): string;
  /** Starts the fault, at once or when triggered. The chunk that triggers it is forwarded first. */
  inject(fault: Fault, trigger?: Trigger): void;
  /** How many chunks and connections the fault has affected. */
  hits(): number;
  /** When the fault began, by `performance.now()`. */
  began(): number;
  /** Ends the fault, or does not wait for its trigger any more. Held chunks are forwarded. */
  heal(): void;
  /** Open connections that lost data, of which no answer will ever come. */
  deadConnections(): number;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Socket;
  readonly engine: Socket;
  /** Data was dropped: everything that follows is dropped as well. */
  dead: boolean;
  /** Bytes since the fault began. */
  passed: number;
}

export async function openToxicProxy(target: number): Promise<ToxicProxy> {
  const port = await freePort();
  const connections = new Set<Connection>();
  let fault: Fault | undefined;
  let armed: { fault: Fault; trigger: Trigger; left: number } | undefined;
  let hits = 0;
  let began = 0;
  let healed = new AbortController();

  const pause = (ms: number) => sleep(ms, undefined, { signal: healed.signal }).catch(() => {});

  function reset({ client, engine }: Connection): void {
    hits++;
    client.resetAndDestroy();
    engine.destroy();
  }
  function end({ client, engine }: Connection): void {
    hits++;
    client.end();
    engine.destroy();
  }
  function closeSlowly(connection: Connection): void {
    hits++;
    connection.dead = true;
    setTimeout(() => connection.client.end(), slowCloseMs).unref();
  }
  /** Faults that affect connections as such, not only their data. */
  const onConnection: Partial<Record<Fault, (connection: Connection) => void>> = {
    down: end,
    reset,
    "slow close": closeSlowly,
  };

  function begin(next: Fault): void {
    fault = next;
    began = performance.now();
    healed = new AbortController();
    if (fault === "down") server.close();
    for (const connection of [...connections]) {
      connection.passed = 0;
      if (!connection.dead) onConnection[next]?.(connection);
    }
  }

  /** Whether this chunk triggers the armed fault. */
  function isTrigger(chunk: Buffer, isRequest: boolean): boolean {
    if (!armed) return false;
    if ("request" in armed.trigger) return isRequest && armed.trigger.request.test(chunk.toString("latin1"));
    if (!isRequest) armed.left -= chunk.length;
    return armed.left <= 0;
  }

  const write = (to: Socket, chunk: Buffer) =>
    new Promise<void>((resolve) => {
      if (!to.writable) return resolve();
      to.once("close", resolve);
      to.write(chunk, () => {
        to.off("close", resolve);
        resolve();
      });
    });

  /** The size of a piece follows from the time that has passed, so that the rate is the same on a busy machine. */
  async function writeInPieces(
    to: Socket,
    chunk: Buffer,
    { pauseMs, bytesPerMs }: typeof paces.slicing,
  ): Promise<void> {
    const { signal } = healed;
    let at = 0;
    for (let then = performance.now(); at < chunk.length && !signal.aborted && to.writable; ) {
      await pause(pauseMs);
      const now = performance.now();
      const bytes = Math.ceil((now - then) * bytesPerMs);
      await write(to, chunk.subarray(at, at + bytes));
      at += bytes;
      then = now;
    }
    await write(to, chunk.subarray(at));
  }

  async function forward(connection: Connection, to: Socket, chunk: Buffer): Promise<void> {
    if (connection.dead) return;
    if (fault) hits++;
    switch (fault) {
      case "latency":
        await pause(latencyMs);
        return write(to, chunk);
      case "bandwidth":
        return writeInPieces(to, chunk, paces.bandwidth);
      case "slicing":
        return writeInPieces(to, chunk, paces.slicing);
      case "timeout":
        connection.dead = true;
        return undefined;
      case "limit": {
        const left = limitBytes - connection.passed;
        connection.passed += chunk.length;
        await write(to, chunk.subarray(0, Math.max(0, left)));
        if (connection.passed > limitBytes) end(connection);
        return undefined;
      }
      default:
        return write(to, chunk);
    }
  }

  async function handle(connection: Connection, from: Socket, chunk: Buffer): Promise<void> {
    const isRequest = from === connection.client;
    const to = isRequest ? connection.engine : connection.client;
    if (!isTrigger(chunk, isRequest)) return forward(connection, to, chunk);
    const next = armed?.fault;
    armed = undefined;
    await write(to, chunk);
    if (next) begin(next);
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ port: target, host: "127.0.0.1" });
    const connection: Connection = { client, engine, dead: false, passed: 0 };
    connections.add(connection);
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      from.setNoDelay(true);
      from.on("error", () => {});
      from.on("close", () => {
        if (from === client) connections.delete(connection);
        // A dead connection stays open for the client until the client or the proxy closes it.
        if (from === client || !connection.dead) to.destroy();
      });
      let pending = Promise.resolve();
      from.on("data", (chunk: Buffer) => {
        from.pause();
        pending = handle(connection, from, chunk).then(() => void from.resume());
      });
      from.on("end", async () => {
        await pending;
        if (!connection.dead) to.end();
        else if (from === client) client.destroy();
      });
    }
    if (fault) onConnection[fault]?.(connection);
  });
  server.on("error", () => {});
  await once(server.listen(port, "127.0.0.1"), "listening");

  return {
    port,
    url: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    inject(next, trigger) {
      hits = 0;
      if (!trigger) return begin(next);
      armed = { fault: next, trigger, left: "responseBytes" in trigger ? trigger.responseBytes : Infinity };
    },
    hits: () => hits,
    began: () => began,
    heal() {
      armed = undefined;
      fault = undefined;
      healed.abort();
      if (!server.listening) server.listen(port, "127.0.0.1");
    },
    deadConnections: () => [...connections].filter(({ dead }) => dead).length,
    async close() {
      healed.abort();
      for (const { client, engine } of connections) {
        client.destroy();
        engine.destroy();
      }
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}
