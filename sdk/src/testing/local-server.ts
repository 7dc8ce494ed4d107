import { once } from "node:events";
import { createServer as createHttp, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from "node:net";

async function listening(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Connections that are open now. */
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** A service of our own making, for as long as a test runs. */
export const httpServer = (listener: RequestListener) => listening(createHttp(listener));

/** The same for what no proper server does. */
export const tcpServer = (listener: (socket: Socket) => void) =>
  listening(createTcp({ allowHalfOpen: true }, listener));
