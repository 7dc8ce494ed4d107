import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A raw connection, for requests that an HTTP library would not send. */
export interface RawConnection {
  readonly socket: Socket;
  /** Complete responses so far, without 1xx. */
  readonly answers: readonly RawAnswer[];
  /** Received bytes that are not a complete response. */
  rest(): string;
  /** Whether the server (or an error) ended the connection. */
  ended(): boolean;
  /** Writes bytes. A closed connection is not an error. */
  send(bytes: string | Uint8Array): Promise<void>;
  /** Resolves to true after `count` responses or the end of the connection, to false after `withinMs`. */
  waitForAnswers(count: number, withinMs: number): Promise<boolean>;
  /** Resolves to true when the connection ends, to false after `withinMs`. */
  endedWithin(withinMs: number): Promise<boolean>;
  close(): void;
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

function readChunked(bytes: Buffer, from: number): { body: string; end: number } | undefined {
  let body = "";
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return;
    const size = Number.parseInt(latin1(bytes.subarray(at, lineEnd)), 16);
    const dataEnd = lineEnd + 2 + size;
    if (bytes.length < dataEnd + 2) return;
    body += bytes.toString("utf8", lineEnd + 2, dataEnd);
    at = dataEnd + 2;
    if (size === 0) return { body, end: at };
  }
}

/** Parses a complete response at the start of `bytes`. */
function readAnswer(bytes: Buffer, ended: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return;
  const [statusLine = "", ...lines] = latin1(bytes.subarray(0, headEnd)).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return;
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const from = headEnd + 4;
  if (status < 200 || status === 204 || status === 304) return { answer: { status, headers, body: "" }, length: from };
  if (headers.get("transfer-encoding") === "chunked") {
    const chunked = readChunked(bytes, from);
    return chunked && { answer: { status, headers, body: chunked.body }, length: chunked.end };
  }
  const length = headers.get("content-length");
  if (length === undefined && !ended) return;
  const end = length === undefined ? bytes.length : from + Number(length);
  if (bytes.length < end) return;
  return { answer: { status, headers, body: bytes.toString("utf8", from, end) }, length: end };
}

/** Opens a connection to a local port. */
export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
  const answers: RawAnswer[] = [];
  let bytes: Buffer = Buffer.alloc(0);
  let ended = false;
  const waiting = new Set<() => void>();

  function read() {
    for (let next = readAnswer(bytes, ended); next; next = readAnswer(bytes, ended)) {
      bytes = bytes.subarray(next.length);
      if (next.answer.status >= 200) answers.push(next.answer);
    }
    for (const look of [...waiting]) look();
  }
  function end() {
    ended = true;
    read();
  }
  socket.on("data", (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    read();
  });
  socket.on("end", end);
  socket.on("close", end);
  await once(socket, "connect");
  // From here on, an error only means that the server closed the connection.
  socket.on("error", end);

  function wait(done: () => boolean, withinMs: number): Promise<boolean> {
    if (done()) return Promise.resolve(true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    function settle(result: boolean) {
      clearTimeout(timer);
      waiting.delete(look);
      resolve(result);
    }
    function look() {
      if (done()) settle(true);
    }
    const timer = setTimeout(settle, withinMs, false);
    waiting.add(look);
    return promise;
  }

  return {
    socket,
    answers,
    rest: () => latin1(bytes),
    ended: () => ended,
    send: (data) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (socket.destroyed || !socket.writable) return Promise.resolve();
      socket.once("close", resolve);
      socket.write(data, () => {
        socket.off("close", resolve);
        resolve();
      });
      return promise;
    },
    waitForAnswers: (count, withinMs) => wait(() => answers.length >= count || ended, withinMs),
    endedWithin: (withinMs) => wait(() => ended, withinMs),
    close: () => socket.destroy(),
  };
}
