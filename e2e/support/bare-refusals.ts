// Run as a process of its own: a server that reads every request and answers 429, and nothing else. What a flood or slow
// clients cost the machine that sends and receives is no cost of the service.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What it tells its parent. */
export interface BareServer {
  readonly baseUrl: string;
}

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(429, { "retry-after": "1", ratelimit: "-", "ratelimit-policy": "-" }).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const told: BareServer = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  process.send?.(told);
});
process.on("disconnect", () => process.exit());
