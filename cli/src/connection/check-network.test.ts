import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../testing/run-command.ts";
import type { Check } from "./check.ts";
import { checkNetwork } from "./check-network.ts";

async function runChecks(address: string): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const check of checkNetwork(address)) checks.push(check);
  return checks;
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test("stops at a host name that does not resolve", async () => {
  expect(await runChecks("https://nowhere.invalid")).toMatchObject([{ name: "name", state: "bad" }]);
});

test("stops at a closed port", async () => {
  expect(await runChecks("http://127.0.0.1:9")).toMatchObject([
    { name: "connection", state: "bad", detail: expect.stringContaining("ECONNREFUSED") },
  ]);
});

test.runIf(existsSync("/usr/bin/openssl"))("reports an untrusted certificate with a fix", async () => {
  const folder = await makeFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3", "-subj", "/CN=localhost"];
  execFileSync("/usr/bin/openssl", [...request, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  const port = await portOf(server);
  expect((await runChecks(`https://localhost:${port}`)).at(-1)).toMatchObject({
    name: "certificate",
    state: "bad",
    detail: expect.stringContaining("self-signed"),
    fix: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  });
  server.close();
});

test("reports https against an http server", async () => {
  const { createServer: createPlain } = await import("node:http");
  const server = createPlain((_request, response) => response.end());
  const port = await portOf(server);
  expect((await runChecks(`https://127.0.0.1:${port}`)).at(-1)).toMatchObject({
    name: "certificate",
    state: "bad",
    fix: expect.stringContaining("http://"),
  });
  server.close();
});
