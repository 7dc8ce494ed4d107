// Nightly, and for changes in: deploy/, dev/setup, package-lock.json
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { download, waitForCall } from "../support/http/call-details.ts";
import { importCall } from "../support/http/service.ts";
import { cookieOf, sendJson, testPassword } from "../support/http/users.ts";
import { isRelease } from "../support/run-scale.ts";
import { inDatabase, required } from "../support/stack/environment.ts";
import { freePort } from "../support/stack/free-port.ts";
import { say, until } from "../support/waiting.ts";
import { type Image, openImage } from "./support/image.ts";

const maxMegabytes = 700;
/** From nothing to a heard call. */
const maxMinutes = 10;
let image: Image;
let builtAfterMs: number;
let database: string;
let env: Record<string, string>;

describe.skipIf(process.getuid?.() !== 0)("the image (needs root)", () => {
  beforeAll(async () => {
    const began = performance.now();
    image = await openImage();
    builtAfterMs = performance.now() - began;
    say(`the image has ${image.megabytes} MB, built in ${Math.round(builtAfterMs / 1000)} s`);
    database = `image_${Date.now().toString(36)}`;
    const [port, workerPort] = [await freePort(), await freePort()];
    env = {
      DATABASE_URL: inDatabase(required("DATABASE_URL"), database),
      ENCRYPTION_KEYS: `e2e:${Buffer.alloc(32, "e2e").toString("base64")}`,
      STORAGE: "filesystem",
      HOST: "127.0.0.1",
      PORT: String(port),
      WORKER_PORT: String(workerPort),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    await inAdminDatabase(`create database ${database} owner hearback_owner`);
  }, 900_000);
  afterAll(async () => {
    await image?.close();
    if (database) await inAdminDatabase(`drop database ${database} with (force)`);
  });

  async function inAdminDatabase(statement: string): Promise<void> {
    const admin = new pg.Client(required("DATABASE_ADMIN_URL"));
    await admin.connect();
    await admin.query(statement);
    await admin.end();
  }

  async function hearback(...args: string[]): Promise<string> {
    const { code, output } = await image.runProgram([...image.config.Entrypoint, ...args], env);
    if (code !== 0) throw new Error(`hearback-server ${args.join(" ")} ended with ${code}:\n${output}`);
    return output;
  }

  test("is small, runs as an unprivileged user, and says what it is", async () => {
    expect(image.megabytes).toBeLessThan(maxMegabytes);
    expect(image.config).toMatchObject({
      User: "node",
      StopSignal: "SIGTERM",
      Volumes: { "/recordings": {}, "/scratch": {}, "/models": {} },
      Healthcheck: { Test: ["CMD", "node", "server/src/healthcheck.ts"] },
      Labels: {
        "org.opencontainers.image.title": "Hearback",
        "org.opencontainers.image.version": "0.1.0",
        "org.opencontainers.image.revision": "e2e",
        "org.opencontainers.image.licenses": "Apache-2.0",
      },
    });
    const { output } = await image.runProgram(["sh", "-c", "id -u; touch /app/x /etc/x; grep ^Cap /proc/self/status"]);
    expect(output).toMatch(/^1000$/m);
    expect(output.match(/Read-only file system/g)).toHaveLength(2);
    expect([...output.matchAll(/^Cap\w+:\t(\w+)$/gm)].map(([, set]) => Number(set))).toEqual([0, 0, 0, 0, 0]);
  });

  test("contains the packages of the lock file, all listed with their hashes, and no tests", async () => {
    const { components } = JSON.parse(await readFile(join(image.root, "app/sbom.cdx.json"), "utf8"));
    const listed = new Map<string, string>(
      components.map(({ purl, hashes = [] }: { purl: string; hashes?: { alg: string; content: string }[] }) => [
        decodeURIComponent(purl),
        hashes.find(({ alg }) => alg === "SHA-512")?.content ?? "",
      ]),
    );
    const { packages } = JSON.parse(await readFile(join(image.root, "app/node_modules/.package-lock.json"), "utf8"));
    const installed = Object.entries<{ version: string; integrity?: string; link?: boolean }>(packages).filter(
      ([path, { link }]) => path.includes("node_modules/") && !link,
    );
    expect(installed.length).toBeGreaterThan(50);
    for (const [path, { version, integrity = "" }] of installed) {
      const name = path.split("node_modules/").at(-1);
      const hash = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
      expect([name, listed.get(`pkg:npm/${name}@${version}`)]).toEqual([name, hash]);
    }
    const files = await readdir(join(image.root, "app/server"), { recursive: true });
    expect(files.filter((name) => /\.test\.ts$|\/testing\//.test(name))).toEqual([]);
  });

  test("from an empty database to a heard call, with a read-only root", async () => {
    const began = performance.now();
    const owner = { DATABASE_OWNER_URL: inDatabase(required("DATABASE_OWNER_URL"), database) };
    const migrated = await image.runProgram([...image.config.Entrypoint, "migrate"], { ...env, ...owner });
    expect([migrated.code, migrated.output]).toEqual([0, expect.any(String)]);
    const { link } = JSON.parse(await hearback("setup", "--json"));
    const findings = await hearback("doctor");
    expect(findings).toMatch(/sandbox/);

    const api = await image.start(["api"], env);
    const worker = await image.start(["worker"], env);
    const { PUBLIC_URL: baseUrl = "" } = env;
    const isReady = async (port: string | undefined) =>
      (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok;
    await until("the API is ready", 60_000, () => isReady(env.PORT)).catch((error) => {
      throw new Error(`${error.message}\n${api.log()}`);
    });
    await until("the worker is ready", 60_000, () => isReady(env.WORKER_PORT)).catch((error) => {
      throw new Error(`${error.message}\n${worker.log()}`);
    });
    const healthcheck = image.config.Healthcheck.Test.slice(1);
    expect(await image.runProgram(healthcheck, env)).toEqual({ code: 0, output: "" });

    const token = new URL(link).hash.slice(1);
    const admin = { email: "ann@example.com", name: "Ann Lee", workspace_name: "Acme", password: testPassword };
    const cookie = cookieOf(await sendJson(`${baseUrl}/session/link`, { token, ...admin }));
    const asAdmin = { cookie, origin: baseUrl };
    await sendJson(`${baseUrl}/campaigns`, { id: "support", name: "Support" }, asAdmin);
    const scopes = ["import", "read", "review"];
    const made = await sendJson<{ key: string }>(`${baseUrl}/keys`, { name: "phone system", scopes }, asAdmin);
    const agent = { email: "sam@example.com", name: "Sam", role: "agent", send_invite_email: false };
    expect((await sendJson(`${baseUrl}/users/invite`, agent, asAdmin)).status).toBe(201);

    const service = { baseUrl, apiKey: made.body.key, campaignId: "support", agentEmail: agent.email };
    const { id } = await importCall(service);
    const call = await waitForCall(service, id);
    expect(call.status).toBe("ready");
    const playback = call.audio?.playback;
    expect(await download(service, playback?.url ?? "")).toHaveLength(playback?.bytes ?? 0);
    const page = await fetch(`${baseUrl}/console/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<title>Hearback</title>")]);
    const heardAfterMs = performance.now() - began;
    say(`from an empty database to a heard call in ${Math.round(heardAfterMs / 1000)} s`);
    expect(builtAfterMs + heardAfterMs).toBeLessThan(maxMinutes * 60_000);

    expect(await api.stop()).toBe(0);
    expect(await worker.stop()).toBe(0);
    const unhealthy = await image.runProgram(healthcheck, env);
    expect([unhealthy.code, unhealthy.output]).toEqual([1, expect.stringContaining("ECONNREFUSED")]);
  });

  test.runIf(isRelease)("fetches a speech model and recognises with it", { timeout: 300_000 }, async () => {
    await hearback("models", "add", "moonshine-base-en", "--dir", "/models");
    const doctor = [...image.config.Entrypoint, "doctor"];
    const { output } = await image.runProgram(doctor, { ...env, TRANSCRIBER_MODEL_DIR: "/models/moonshine-base-en" });
    expect(output).toMatch(/^ok\s+transcription.*moonshine-base-en on this machine/m);
  });
});
