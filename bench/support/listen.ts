import { once } from "node:events";
import type { Server } from "node:http";

/** Starts a server on a free port of loopback. Returns its address. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}
