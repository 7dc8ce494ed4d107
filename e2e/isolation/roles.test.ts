import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerHeaders } from "../support/http/caller.ts";
import { expectProblem } from "../support/http/expect-problem.ts";
import { type Answer, send } from "../support/http/http.ts";
import { importCall, uniqueEmail } from "../support/http/service.ts";
import { cookieOf, type Role, roles, sendJson, signIn } from "../support/http/users.ts";
import { allowedRoles, rolesAllowedOn } from "./roles.ts";
import { openTwoWorkspaces, type TwoWorkspaces } from "./workspaces.ts";

let world: TwoWorkspaces;
beforeAll(async () => {
  world = await openTwoWorkspaces();
}, 300_000);
afterAll(async () => {
  await world?.stack.stop();
});

const as = (role: Role) => callerHeaders(world.ours.people[role].cookie, world.ours.baseUrl);
const ask = (role: Role, method: string, path: string, body?: unknown): Promise<Answer> =>
  body === undefined
    ? send(`${world.ours.baseUrl}${path}`, { method, headers: as(role) })
    : sendJson(`${world.ours.baseUrl}${path}`, body, as(role), method);

test("the table contains exactly the routes of the service", async () => {
  const { body } = await send<{ paths: Record<string, Record<string, unknown>> }>(`${world.api.baseUrl}/openapi.json`, {
    method: "GET",
  });
  const routes = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.sort()).toEqual(Object.keys(allowedRoles).sort());
});

const pairs = Object.keys(allowedRoles)
  .filter((route) => allowedRoles[route] !== "-")
  .flatMap((route) => roles.map((role) => ({ route, role, may: rolesAllowedOn(route).includes(role) })));

test.each(pairs)("$route, $role: $may", async ({ route, role, may }) => {
  const { ours } = world;
  const [method = "", path = ""] = route.split(" ");
  const filled =
    path.replace("{id}", randomUUID()).replace("{version}", "1") + (path.endsWith("/export") ? "?format=jsonl" : "");
  // It ends the caller's session, so use a separate one.
  const own = route === "DELETE /session" ? cookieOf(await signIn(ours.baseUrl, ours.people[role].email)) : undefined;
  const headers = own ? callerHeaders(own, ours.baseUrl) : as(role);
  const body = ["POST", "PUT", "PATCH"].includes(method) ? {} : undefined;
  const answer = await (body
    ? sendJson(`${ours.baseUrl}${filled}`, body, headers, method)
    : send(`${ours.baseUrl}${filled}`, { method, headers }));
  if (may) expect([401, 403, 500]).not.toContain(answer.status);
  else expectProblem(answer, 403, "role_missing");
});

describe("an agent", () => {
  const seen = ({ status, headers, text }: Answer, id: string) => {
    const { date: _, ratelimit: __, "x-request-id": requestId, ...others } = headers;
    return { status, others, text: text.replaceAll(id, "<id>").replaceAll(String(requestId), "<request>") };
  };

  test.each(["", "/audio", "/waveform", "/speech", "/transcript/matches?said=hello"])(
    "cannot access another agent's call: %s",
    async (rest) => {
      const other = await importCall(world.ours, { conversation_timestamp: "1714557999" });
      const nobodys = other.id.replace(/.{12}$/, "000000000000");
      const [anothers, never] = [
        await ask("agent", "GET", `/calls/${other.id}${rest}`),
        await ask("agent", "GET", `/calls/${nobodys}${rest}`),
      ];
      expect(anothers.status).toBe(404);
      expect(seen(anothers, other.id)).toEqual(seen(never, nobodys));
      expect((await ask("agent", "GET", `/calls/${world.ours.callId}${rest}`)).status).toBe(200);
    },
  );

  test("can download a recording only if the workspace allows it", async () => {
    const { ours } = world;
    const other = await importCall(ours, { conversation_timestamp: "1714557997" });
    const path = (id: string) => `/calls/${id}/audio?original=true`;
    const permission = async (agents_can_download: boolean) => {
      expect((await ask("admin", "PATCH", "/workspace", { settings: { agents_can_download } })).status).toBe(200);
    };
    const shown = async () => (await ask("agent", "GET", "/session")).body as { can_download: boolean };
    for (const allowed of [false, true, false]) {
      await permission(allowed);
      expect((await shown()).can_download).toBe(allowed);
      const answer = await ask("agent", "GET", path(ours.callId));
      if (allowed) expect(answer.status).toBe(200);
      else expectProblem(answer, 403, "download_forbidden");
      // The calls of other agents stay hidden.
      expectProblem(await ask("agent", "GET", path(other.id)), 404, "call_not_found");
      expect((await ask("agent", "GET", `/calls/${ours.callId}/audio`)).status).toBe(200);
      expect((await ask("reviewer", "GET", path(ours.callId))).status).toBe(200);
    }
  });

  test("finds only their own calls, whatever the filter", async () => {
    const { ours } = world;
    const other = await importCall(ours, { conversation_timestamp: "1714557998" });
    const found = async (query: string) => {
      const { body } = await ask("agent", "GET", `/calls?limit=200${query}`);
      return body as { calls: { agent: { id: string } }[]; next: unknown };
    };
    const all = await found("");
    expect(new Set(all.calls.map(({ agent }) => agent.id))).toEqual(new Set([ours.people.agent.id]));
    for (const query of [
      `&agent=${ours.agentEmail}`,
      `&agent=${other.agent.id}`,
      "&metadata[site]=Nowhere",
      "&status=failed",
    ]) {
      expect([query, await found(query)]).toEqual([query, { calls: [], next: null }]);
    }
    const counted = await found(`&count=estimate&campaign=${ours.campaignId}`);
    expect(counted).toMatchObject({ calls: [], next: null, estimate: { count: 0, exact: true } });
  });
});

describe("a supervisor", () => {
  test.each([
    ["agent", 201],
    ["reviewer", 201],
    ["supervisor", 403],
    ["admin", 403],
  ])("invites a user as %s: %i", async (role, status) => {
    const invite = { email: uniqueEmail(), name: "Ann Lee", role, send_invite_email: false };
    expect((await ask("supervisor", "POST", "/users/invite", invite)).status).toBe(status);
  });

  test.each([
    ["agent", 200],
    ["reviewer", 200],
    ["supervisor", 403],
    ["admin", 403],
  ] as const)("sends the invitation of the %s again: %i, and sees no link", async (role, status) => {
    const { id } = world.ours.people[role];
    const answer = await ask("supervisor", "POST", `/users/${id}/invitation`, { by_mail: false });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain("#");
  });

  test("can change a campaign, but not its retention", async () => {
    const path = `/campaigns/${world.ours.ownCampaignId}`;
    expect((await ask("supervisor", "PATCH", path, { name: "Calls" })).status).toBe(200);
    expectProblem(await ask("supervisor", "PATCH", path, { retention_days: 1 }), 403, "role_missing");
  });
});

test.each(roles)("a session with the role %s sees nothing of the other workspace", async (role) => {
  const { theirs } = world;
  const words = [theirs.workspaceId, theirs.callId, theirs.ownAgentId, theirs.ownCampaignId, theirs.people.admin.id];
  const lists = [
    "/calls?limit=200",
    "/campaigns?archived=all",
    "/users",
    "/session",
    "/sessions",
    "/keys",
    "/webhooks",
  ];
  for (const path of [...lists, "/audit?limit=200", "/events?limit=500", "/workspace", "/calls/export?format=jsonl"]) {
    const { text } = await ask(role, "GET", path);
    for (const word of words) expect(text).not.toContain(word);
  }
});
