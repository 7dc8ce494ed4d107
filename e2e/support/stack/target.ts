import { afterAll, test } from "vitest";
import { postUser, type Service, uniqueEmail } from "../http/service.ts";
import { type ApiProcess, openStack, type Stack } from "./stack.ts";

/** The server under test. `local` and `api` are set only if the suite started it. */
export interface Target extends Service {
  readonly local?: Stack;
  readonly api?: ApiProcess;
}

// Vitest sets BASE_URL to "/" (Vite's base path), so run.ts passes the given value as E2E_BASE_URL.
const given = ["E2E_BASE_URL", "API_KEY", "CAMPAIGN_ID"].map((name) => process.env[name]);

async function openTarget(): Promise<Target> {
  if (given.every((value) => value === undefined)) {
    const local = await openStack();
    const api = await local.startApi();
    const { apiKey, campaignId, agentEmail } = local;
    return { baseUrl: api.baseUrl, apiKey, campaignId, agentEmail, local, api };
  }
  const [baseUrl, apiKey, campaignId] = given;
  if (!baseUrl || !apiKey || !campaignId) {
    throw new Error("BASE_URL (for Vitest: E2E_BASE_URL), API_KEY and CAMPAIGN_ID are set together or not at all");
  }
  const target = { baseUrl: baseUrl.replace(/\/$/, ""), apiKey, campaignId, agentEmail: uniqueEmail() };
  const agent = { email: target.agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false };
  const answer = await postUser(target, agent);
  if (![200, 201].includes(answer.status)) {
    throw new Error(`cannot create an agent: ${answer.status} ${answer.text}`);
  }
  return target;
}

/** Opened once per test file: the server at BASE_URL, or a new installation. */
export const target = await openTarget();

afterAll(async () => {
  await target.local?.stop();
});

/** A test that needs a local installation: other keys, other settings, database access. */
export const testLocally: ReturnType<typeof test.skipIf> = test.skipIf(!target.local);

/** The installation behind a `testLocally`. */
export function local(): Stack {
  if (!target.local) throw new Error("this test requires a local installation");
  return target.local;
}

/** Creates a key in the local or another workspace. */
export function createKey(
  scope: "import" | "read" | "manage",
  ...more: string[]
): Promise<{ readonly id: string; readonly key: string }> {
  const { command, workspaceId } = local();
  const workspace = more.includes("--workspace") ? [] : ["--workspace", workspaceId];
  return command("key", "create", ...workspace, "--name", `conformance ${scope}`, "--scope", scope, "--json", ...more);
}

/** Creates a second workspace with a campaign of the same name, a different agent, and a key. */
export async function anotherWorkspace(): Promise<Target & { readonly workspaceId: string }> {
  const { command, campaignId } = local();
  const { id } = await command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  await command("campaign", "create", "--workspace", id, "--id", campaignId, "--name", "Other", "--json");
  const agentEmail = "other@example.com";
  const agent = ["--email", agentEmail, "--name", "Olga Other", "--role", "agent", "--json"];
  await command("user", "create", "--workspace", id, ...agent);
  const { key } = await createKey("import", "--workspace", id);
  return { ...target, workspaceId: id, apiKey: key, campaignId, agentEmail };
}
