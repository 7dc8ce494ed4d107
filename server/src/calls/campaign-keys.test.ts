import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { operatorIn } from "../platform/actor.ts";
import { aForm } from "../testing/forms.ts";
import { aRecording } from "../testing/sounds.ts";
import { openTestApp } from "../testing/test-app.ts";

const { app, api, caller, campaignId, agentEmail, key, restrictedKey } = await openTestApp();
const { id: other } = await createCampaign(app, operatorIn(caller.workspaceId), { id: "sales-fr", name: "Sales" });
const free = { "x-api-key": await key("import", "read", "manage") };
const restricted = { "x-api-key": await restrictedKey(campaignId) };

async function importInto(campaign: string, headers: Record<string, string>, query = "") {
  const form = aForm(
    ["campaign_id", campaign],
    ["conversation_timestamp", "1714557600"],
    ["agent_email", agentEmail],
    ["file", aRecording({ seed: 1 })],
  );
  const request = { method: "POST", url: `/calls/audio${query}`, payload: form.payload } as const;
  return api.inject({ ...request, headers: { ...headers, ...form.headers } });
}

const own: string = (await importInto(campaignId, free)).json().id;
const others: string = (await importInto(other, free)).json().id;

/** Every route of one call, as the service itself lists them; last what takes the call away. */
const routes = Object.entries(api.swagger().paths ?? {})
  .filter(([path]) => path.startsWith("/calls/{id}"))
  .flatMap(([path, item]) => Object.keys(item ?? {}).map((method) => ({ method, path })))
  .sort((a, b) => Number(a.method === "delete") - Number(b.method === "delete"));
const payloads: Readonly<Record<string, object>> = { patch: { agent_channel: "left" } };

test("a call has these routes", () => {
  expect(routes.length).toBeGreaterThan(6);
});

test.each(routes)("to a restricted key, $method $path of another campaign's call is like nobody's", async (route) => {
  const ask = (id: string, headers = restricted) =>
    api.inject({
      method: route.method.toUpperCase() as "GET",
      url: route.path.replace("{id}", id),
      headers,
      ...(payloads[route.method] && { payload: payloads[route.method] }),
    });
  const visible = ({ statusCode, body, headers }: Awaited<ReturnType<typeof ask>>) => {
    // What is left of the key's own rate changes from one moment to the next.
    const { "x-request-id": id, date: _, ratelimit: __, ...rest } = headers;
    return { statusCode, body: body.replaceAll(String(id), "<id>"), headers: rest };
  };
  const hidden = visible(await ask(others));
  expect(hidden).toEqual(visible(await ask(randomUUID())));
  expect(hidden.statusCode).toBe(404);
  expect((await ask(own)).statusCode).not.toBe(404);
  expect((await ask(others, free)).statusCode).not.toBe(404);
});

test.each(["", "?dry_run=true"])("a restricted key imports into its own campaigns only%s", async (query) => {
  const answer = async (campaign: string) => {
    const { statusCode, body, headers } = await importInto(campaign, restricted, query);
    return [statusCode, body.replaceAll(String(headers["x-request-id"]), "<id>").replaceAll(campaign, "<campaign>")];
  };
  expect((await answer(campaignId))[0]).toBe(200);
  const refused = await answer(other);
  expect(refused).toEqual(await answer("sales-de"));
  expect(refused[0]).toBe(404);
});

test("a restricted key is not told who has an address, unless it is an agent", async () => {
  const invite = (email: string, role: string, headers: Record<string, string>) =>
    api.inject({ method: "POST", url: "/users/invite", headers, payload: { email, name: "Al Ox", role } });
  await invite("boss@example.com", "admin", free);
  const boss = await invite("boss@example.com", "agent", restricted);
  expect([boss.statusCode, boss.json().user]).toEqual([409, undefined]);
  expect((await invite(agentEmail, "agent", restricted)).json().user.email).toBe(agentEmail);
});
