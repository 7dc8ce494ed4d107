import { afterAll, test } from "vitest";
import { anEmail, postUser, type Service } from "./service.ts";
import { type ApiProcess, openStack, type Stack } from "./stack.ts";

/** The server under test. `local` and `api` are there only if the suite started it. */
export interface Target extends Service {
  readonly local?: Stack;
  readonly api?: ApiProcess;
}

// Within Vitest, BASE_URL is always "/": it is Vite's own name for something else. E2E_BASE_URL carries what was given.
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
  const target = { baseUrl: baseUrl.replace(/\/$/, ""), apiKey, campaignId, agentEmail: anEmail() };
  const agent = { email: target.agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false };
  const answer = await postUser(target, agent);
  if (![200, 201].includes(answer.status)) {
    throw new Error(`no agent could be created there: ${answer.status} ${answer.text}`);
  }
  return target;
}

/** Opened once for each test file: the server at BASE_URL, or an installation of its own. */
export const target = await openTarget();

afterAll(async () => {
  await target.local?.stop();
});

/** A test that needs what only an installation of its own can give: other keys, other settings, a look inside. */
export const testLocally: ReturnType<typeof test.skipIf> = test.skipIf(!target.local);

/** The installation behind a `testLocally`. */
export function local(): Stack {
  if (!target.local) throw new Error("this test runs only against an installation of its own");
  return target.local;
}

/** A key of the local workspace, or of another one. */
export function aKey(
  scope: "import" | "read" | "manage",
  ...more: string[]
): Promise<{ readonly id: string; readonly key: string }> {
  const { command, workspaceId } = local();
  const workspace = more.includes("--workspace") ? [] : ["--workspace", workspaceId];
  return command("key", "create", ...workspace, "--name", `conformance ${scope}`, "--scope", scope, "--json", ...more);
}

/** A workspace of its own beside the first, with a campaign of the same name, an agent of another, and a key. */
export async function anotherWorkspace(): Promise<Target & { readonly workspaceId: string }> {
  const { command, campaignId } = local();
  const { id } = await command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  await command("campaign", "create", "--workspace", id, "--id", campaignId, "--name", "Other", "--json");
  const agentEmail = "other@example.com";
  const agent = ["--email", agentEmail, "--name", "Olga Other", "--role", "agent", "--json"];
  await command("user", "create", "--workspace", id, ...agent);
  const { key } = await aKey("import", "--workspace", id);
  return { ...target, workspaceId: id, apiKey: key, campaignId, agentEmail };
}
