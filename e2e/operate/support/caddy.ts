import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/stack/free-port.ts";
import { until } from "../../support/waiting.ts";

export interface Caddy {
  readonly url: string;
  readonly httpUrl: string;
  /** The authority that signed its certificate. */
  readonly authority: string;
  stop(): Promise<void>;
}

/** Starts Caddy with deploy/Caddyfile in front of the ports that `startApis` returns. */
export async function startCaddy(startApis: (publicUrl: string) => Promise<readonly number[]>): Promise<Caddy> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-caddy-"));
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  // For "localhost", Caddy signs the certificate itself.
  const url = `https://localhost:${httpsPort}`;
  const ports = await startApis(url);
  const child = spawn("caddy", ["run", "--config", join(import.meta.dirname, "../../../deploy/Caddyfile")], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PUBLIC_URL: url,
      API: ports.map((port) => `127.0.0.1:${port}`).join(" "),
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const certificate = join(folder, ".local/share/caddy/pki/authorities/local/root.crt");
  await until("Caddy has a certificate", 20_000, () => {
    if (child.exitCode !== null) throw new Error(`Caddy ended with code ${child.exitCode}:\n${log}`);
    return log.includes("certificate obtained successfully");
  });
  return {
    url,
    httpUrl: `http://localhost:${httpPort}`,
    authority: await readFile(certificate, "utf8"),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
