import { createServer, type ServerResponse } from "node:http";
import type { App } from "./app.ts";
import { ConfigError } from "./config.ts";

export async function sendMetrics({ metrics: { registry } }: App, response: ServerResponse): Promise<void> {
  const text = await registry.metrics().catch(() => "");
  response.writeHead(text === "" ? 503 : 200, { "content-type": registry.contentType });
  response.end(text);
}

interface MetricsServer {
  readonly port: number;
  close(): void;
}

/** Serves /metrics of the API on a port of its own, which a network policy can close to everyone but Prometheus. */
export async function openMetricsServer(app: App, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method === "GET" && request.url === "/metrics") void sendMetrics(app, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve).once("error", ({ code }: NodeJS.ErrnoException) => {
      reject(new ConfigError(`Cannot listen on METRICS_PORT ${port} (${code}). Choose a free port, or 0 for PORT.`));
    });
    server.listen(port, app.config.host);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
