// Child process: a server that reads every request and responds with 429. Tests use it to measure the cost of a flood or of
// slow clients on this machine without the service.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Message to the parent process. */
export interface BareServer {
  readonly baseUrl: string;
}

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(429, { "retry-after": "1", ratelimit: "-", "ratelimit-policy": "-" }).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const message: BareServer = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  process.send?.(message);
});
process.on("disconnect", () => process.exit());
