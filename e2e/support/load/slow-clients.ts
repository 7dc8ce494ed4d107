// Child process: clients that send a body at 100 bytes per second, so slowly that the API must disconnect them.
// Protocol: receives its order once, then "leave"; sends { open } and finally { cuts }.
import { connect, type Socket } from "node:net";

export interface SlowClientsOrder {
  readonly port: number;
  readonly count: number;
  /** The head and the start of the body, sent immediately. */
  readonly head: string;
  readonly beginning: string;
}

/** How a slow connection ended. */
export interface Cut {
  /** Time from the first byte until the API closed the connection. */
  readonly ms: number;
  /** Time until the response, if any. */
  readonly answeredMs: number | undefined;
  readonly answer: string;
}

const BYTES_A_SECOND = 100;
const TICKS_A_SECOND = 50;

process.once("message", (order: SlowClientsOrder) => {
  const cuts: Cut[] = [];
  const sockets: (Socket | undefined)[] = [];
  let opened = 0;
  let left = false;

  function open(index: number) {
    const begun = performance.now();
    const socket = connect(order.port, "127.0.0.1");
    sockets[index] = socket;
    let answer = "";
    let answeredMs: number | undefined;
    const end = () => {
      if (!sockets[index] || left) return;
      sockets[index] = undefined;
      cuts.push({ ms: performance.now() - begun, answeredMs, answer: answer.split("\r\n")[0] ?? "" });
      socket.destroy();
      if (cuts.length === order.count) process.send?.({ cuts });
    };
    socket.write(order.head + order.beginning);
    socket.on("connect", () => {
      if (++opened === order.count) process.send?.({ open: opened });
    });
    socket.on("data", (bytes) => {
      answeredMs ??= performance.now() - begun;
      answer += bytes.toString("latin1");
    });
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", end);
  }

  for (let index = 0; index < order.count; index++) open(index);
  // Each client sends once per second, evenly staggered.
  let tick = 0;
  const ticking = setInterval(() => {
    for (let index = tick % TICKS_A_SECOND; index < order.count; index += TICKS_A_SECOND) {
      sockets[index]?.write("a".repeat(BYTES_A_SECOND));
    }
    tick++;
  }, 1000 / TICKS_A_SECOND);

  process.once("message", () => {
    left = true;
    clearInterval(ticking);
    for (const socket of sockets) socket?.destroy();
    process.disconnect();
  });
});
