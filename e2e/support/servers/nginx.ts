import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../stack/free-port.ts";
import { until } from "../waiting.ts";

export interface Nginx {
  readonly port: number;
  stop(): Promise<void>;
}

// A single keep-alive connection to the API: leftovers of one request affect the next.
const configuration = (folder: string, port: number, target: number) => `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream api { server 127.0.0.1:${target}; keepalive 1; }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 600m;
    location / {
      proxy_pass http://api;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_request_buffering off;
      proxy_next_upstream off;
    }
  }
}
`;

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on("connect", () => resolve(true));
  socket.on("error", () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}

/** Starts nginx as a reverse proxy in front of a local port. */
export async function startNginx(target: number): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-nginx-"));
  const port = await freePort();
  await writeFile(join(folder, "nginx.conf"), configuration(folder, port, target));
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")], {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    stdio: "inherit",
  });
  await until("nginx listens", 10_000, () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with code ${child.exitCode}`);
    return listens(port);
  });
  return {
    port,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
