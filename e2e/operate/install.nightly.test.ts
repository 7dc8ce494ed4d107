// Nightly, and for changes in: deploy/, dev/setup, docs/operations/install.md
import { execFile } from "node:child_process";
import { cp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { download, waitForCall } from "../support/http/call-details.ts";
import { importCall, type Service } from "../support/http/service.ts";
import { isRelease, scale } from "../support/run-scale.ts";
import { inDatabase } from "../support/stack/environment.ts";
import { freePort } from "../support/stack/free-port.ts";
import { say, until } from "../support/waiting.ts";
import { type ArchivedCluster, startArchivedCluster } from "./support/archived-cluster.ts";
import { makeDebian } from "./support/debian.ts";
import { readCodeBlocks, withReplacements } from "./support/document.ts";
import { type Machine, startMachine } from "./support/machine.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../..");
const units = ["hearback-api.service", "hearback-worker.service"];

let cluster: ArchivedCluster;
let debian: Awaited<ReturnType<typeof makeDebian>> | undefined;
let machine: Machine;
let ports: { readonly api: number; readonly worker: number };

const administratorUrl = () => inDatabase(cluster.env.DATABASE_ADMIN_URL, "postgres");

/** The commands below a heading of the document, with the addresses of this test. */
async function commandsBelow(heading: string, replacements: Readonly<Record<string, string>>): Promise<string> {
  const blocks = await readCodeBlocks("install.md", heading);
  expect(blocks).not.toEqual([]);
  return withReplacements(blocks.flatMap(({ lines }) => lines).join("\n"), replacements);
}

/** Runs commands on the machine as an operator would, in one shell that stops at the first error. */
async function execute(commands: string): Promise<string> {
  await writeFile(join(machine.shared, "commands"), `set -e\ncd /run/hearback-test\n${commands}\n`);
  return machine.run("bash", "/run/hearback-test/commands").catch(async (error) => {
    throw new Error(`${error.message}\n${error.stdout}\n${await machine.log()}`);
  });
}

describe.skipIf(process.getuid?.() !== 0)("docs/operations/install.md without Docker (needs root)", () => {
  beforeAll(async () => {
    // An empty PostgreSQL, as if it were new.
    cluster = await startArchivedCluster();
    const roles = ["hearback_service", "hearback_search", "hearback_owner"];
    const drop = ["database hearback", ...roles.map((role) => `role ${role}`)].flatMap((object) => [
      "-c",
      `drop ${object}`,
    ]);
    await run("psql", [administratorUrl(), ...drop]);
    // At release scale a new Debian; otherwise this machine, which has the packages already.
    debian = isRelease ? await makeDebian() : undefined;
    machine = await startMachine(units, debian?.folder);
    ports = { api: await freePort(), worker: await freePort() };
    const out = join(machine.shared, "release");
    await run("node", ["dev/release.ts", "--server-only", "--allow-changes", "--out", out], { cwd: repository });
    const archive = (await readdir(out)).find((name) => name.endsWith(".tar.gz")) ?? "";
    await cp(join(out, archive), join(machine.shared, archive));
  }, 900_000);
  afterAll(async () => {
    await machine?.stop();
    await cluster?.stop();
    await debian?.remove();
  });

  const isReady = async (port: number) => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok;
  async function whenReady(port: number): Promise<void> {
    await until(`port ${port} is ready`, 60_000, () => isReady(port), 100).catch(async (error) => {
      throw new Error(`${error.message}\n${await machine.log()}`);
    });
  }

  test("the commands of the document install a service that imports, prepares and plays a call", async () => {
    const began = Date.now();
    const replacements = {
      "apt-get install": scale(
        ": apt-get install",
        ": apt-get install",
        "apt-get update && apt-get install -y --no-install-recommends",
      ),
      '"$ADMIN_URL"': administratorUrl(),
      "127.0.0.1:5432": `127.0.0.1:${cluster.port}`,
      "PUBLIC_URL=http://127.0.0.1:8080": `PUBLIC_URL=http://127.0.0.1:${ports.api}\nPORT=${ports.api}\nWORKER_PORT=${ports.worker}\nMAIL_FROM=Acme & Co <calls@example.com>`,
    };
    const printed = await execute(await commandsBelow("## Without Docker", replacements));
    expect(printed).toMatch(/^ok +database/m);
    expect(printed).not.toMatch(/^FAIL/m);
    expect(printed).toContain(`http://127.0.0.1:${ports.api}/`);
    await whenReady(ports.api);
    await whenReady(ports.worker);

    const server = async <T>(command: string): Promise<T> =>
      JSON.parse(await execute(`hearback-server ${command} --json`));
    const { id: workspace } = await server<{ id: string }>("workspace create --name Acme");
    const within = `--workspace ${workspace}`;
    await server(`campaign create ${within} --id support-fr --name Support`);
    await server(`user create ${within} --email ann@example.com --name Ann --role agent`);
    const { key } = await server<{ key: string }>(`key create ${within} --name phone --scope import read`);
    const service: Service = {
      baseUrl: `http://127.0.0.1:${ports.api}`,
      apiKey: key,
      campaignId: "support-fr",
      agentEmail: "ann@example.com",
    };
    const { id } = await importCall(service);
    const call = await waitForCall(service, id);
    expect([call.status, await machine.log()]).toEqual(["ready", expect.not.stringContaining('"level":50')]);
    expect(await download(service, call.audio?.playback.url ?? "")).toHaveLength(call.audio?.playback.bytes ?? 0);
    say(`from an empty machine to a heard call in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }, 900_000);

  test("the units run within their restrictions", async () => {
    for (const unit of units)
      expect(await machine.show(unit, "ActiveState", "User", "NRestarts", "ProtectSystem")).toEqual({
        ActiveState: "active",
        User: "hearback",
        NRestarts: "0",
        ProtectSystem: "strict",
      });
  });

  test("a killed process is started again", async () => {
    await machine.run("systemctl", "kill", "--signal=KILL", "hearback-api.service");
    await until(
      "the API is restarted",
      60_000,
      async () => (await machine.show("hearback-api", "NRestarts")).NRestarts === "1",
      200,
    );
    await whenReady(ports.api);
  });

  test("systemctl stop lets processes finish and end without an error", async () => {
    await machine.run("systemctl", "stop", ...units);
    for (const unit of units)
      expect(await machine.show(unit, "ActiveState", "Result", "ExecMainStatus")).toEqual({
        ActiveState: "inactive",
        Result: "success",
        ExecMainStatus: "0",
      });
  });
});
