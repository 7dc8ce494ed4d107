import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { aForm } from "../../testing/forms.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";

const { app, api, caller, campaignId, agentEmail, key, restrictedKey } = await openTestApp();
const { id: other } = await createCampaign(app, operatorIn(caller.workspaceId), { id: "sales-fr", name: "Sales" });
const unrestricted = { "x-api-key": await key("import", "read", "review", "manage") };
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

const own: string = (await importInto(campaignId, unrestricted)).json().id;
const others: string = (await importInto(other, unrestricted)).json().id;

const removesCall = ({ method, path }: { method: string; path: string }) =>
  method === "delete" && path === "/calls/{id}";
/** Every route below /calls/{id}, from the OpenAPI document. The one that removes the call comes last. */
const routes = Object.entries((api.openApi() as { paths: Record<string, object> }).paths)
  .filter(([path]) => path.startsWith("/calls/{id}"))
  .flatMap(([path, item]) => Object.keys(item).map((method) => ({ method, path })))
  .sort((a, b) => Number(removesCall(a)) - Number(removesCall(b)));
const payloads: Readonly<Record<string, object>> = {
  "patch /calls/{id}": { agent_channel: "left" },
  "post /calls/{id}/notes": { position_ms: 1, text: "Greeting" },
  "patch /calls/{id}/notes/{note}": { text: "Greeting" },
  "patch /calls/{id}/transcript": { transcript_id: randomUUID(), corrections: [{ turn: 0, word: 0, text: "Ann" }] },
};
const queries: Readonly<Record<string, string>> = { "/calls/{id}/transcript/matches": "?said=hello" };

/** A new note on a call. Undefined: the call does not exist. */
async function noteOn(id: string): Promise<string | undefined> {
  const payload = { position_ms: 1, text: "Greeting" };
  const answer = await api.inject({ method: "POST", url: `/calls/${id}/notes`, headers: unrestricted, payload });
  return answer.json().id;
}

test("finds the routes of a call", () => {
  expect(routes.length).toBeGreaterThan(6);
});

test.each(routes)(
  "a restricted key gets the same 404 from $method $path for other campaigns' calls and unknown calls",
  async (route) => {
    const payload = payloads[`${route.method} ${route.path}`];
    const request = async (id: string, headers = restricted) => {
      const note = route.path.includes("{note}") ? await noteOn(id) : undefined;
      return api.inject({
        method: route.method.toUpperCase() as "GET",
        url: `${route.path.replace("{id}", id).replace("{note}", note ?? randomUUID())}${queries[route.path] ?? ""}`,
        headers,
        ...(payload && { payload }),
      });
    };
    const visible = ({ statusCode, body, headers }: Awaited<ReturnType<typeof request>>) => {
      // The remaining rate limit differs between requests.
      const { "x-request-id": id, date: _, ratelimit: __, ...rest } = headers;
      return { statusCode, body: body.replaceAll(String(id), "<id>"), headers: rest };
    };
    const hidden = visible(await request(others));
    expect(hidden).toEqual(visible(await request(randomUUID())));
    expect(hidden.statusCode).toBe(404);
    // A call that is not hidden may still have no transcript.
    const isHidden = ({ statusCode, body }: Awaited<ReturnType<typeof request>>) =>
      statusCode === 404 && JSON.parse(body).code !== "transcript_not_found";
    expect(isHidden(await request(own))).toBe(false);
    expect(isHidden(await request(others, unrestricted))).toBe(false);
  },
);

test.each(["", "?dry_run=true"])("a restricted key imports into its own campaigns only%s", async (query) => {
  const answer = async (campaign: string) => {
    const { statusCode, body, headers } = await importInto(campaign, restricted, query);
    return [statusCode, body.replaceAll(String(headers["x-request-id"]), "<id>").replaceAll(campaign, "<campaign>")];
  };
  expect((await answer(campaignId))[0]).toBe(200);
  const rejected = await answer(other);
  expect(rejected).toEqual(await answer("sales-de"));
  expect(rejected[0]).toBe(404);
});

test("a restricted key sees who has an email address only if that user is an agent", async () => {
  const invite = (email: string, role: string, headers: Record<string, string>) =>
    api.inject({ method: "POST", url: "/users/invite", headers, payload: { email, name: "Al Ox", role } });
  await invite("boss@example.com", "admin", unrestricted);
  const boss = await invite("boss@example.com", "agent", restricted);
  expect([boss.statusCode, boss.json().user]).toEqual([409, undefined]);
  expect((await invite(agentEmail, "agent", restricted)).json().user.email).toBe(agentEmail);
});
