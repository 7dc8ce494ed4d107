import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importCall, type Service } from "../support/http/service.ts";
import { until } from "../support/waiting.ts";
import { type Console, openConsole, startSession, visit } from "./support/console.ts";

let world: Console;
let elsewhere: Server;
let page: Page;
/** A page without a session and without the scripts of the console. */
let stranger: Page;
/** Navigations with their CSP header. */
const visited: { url: string; policy: string | undefined }[] = [];
/** Requests to other origins. */
const foreign: string[] = [];
/** Requests that are not answered yet. */
const pending = new Set<Request>();
let callId: string;
let webhookId: string;
let cardId: string;

/** XSS payload. */
const hostile = `"><img src=x onerror="window.pwned=1"><script>window.pwned=2</script>`;

beforeAll(async () => {
  world = await openConsole();
  const { stack, api } = world;
  const { agentEmail, campaignId, workspaceId } = stack;
  const service: Service = { baseUrl: api.baseUrl, apiKey: stack.apiKey, campaignId, agentEmail };
  const metadata = JSON.stringify([{ key: "note", value: hostile }]);
  callId = (await importCall(service, { metadata })).id;
  const inWorkspace = ["--workspace", workspaceId];
  await stack.command("campaign", "create", ...inWorkspace, "--id", "hostile", "--name", hostile, "--json");
  const who = ["--email", "mallory@example.com", "--name", hostile, "--role", "agent"];
  await stack.command("user", "create", ...inWorkspace, ...who, "--json");
  const endpoint = ["--url", "https://example.com/hook", "--description", hostile];
  webhookId = (await stack.command<{ id: string }>("webhook", "create", ...inWorkspace, ...endpoint, "--json")).id;
  elsewhere = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/frame" ? `<iframe src="${world.url}/sign-in"></iframe>` : "<p>elsewhere</p>");
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));

  stranger = await world.browser.newPage();
  await stranger.route("**/console/assets/**", (route) => route.abort());
  await stranger.goto(`${world.url}/sign-in`);
  await stranger.evaluate(`
    document.addEventListener("securitypolicyviolation", (event) => window.violated.push(event.effectiveDirective));
  `);
  page = await world.openPage();
  page.on("response", (answer) => {
    if (answer.request().isNavigationRequest()) {
      visited.push({ url: answer.url(), policy: answer.headers()["content-security-policy"] });
    }
  });
  for (const event of ["requestfinished", "requestfailed"] as const)
    page.on(event as "requestfinished", (request) => void pending.delete(request));
  page.on("request", (request) => {
    pending.add(request);
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== api.baseUrl) foreign.push(request.url());
  });
  await startSession(page, world, world.admin);
  await page.goto(`${world.url}/calls`);
  const question = { id: "hostile", title: hostile, guidance: `${hostile} [x](javascript:alert(1))`, type: "yes_no" };
  const document = { name: hostile, sections: [{ id: "opening", title: hostile, questions: [question] }] };
  const { origin } = new URL(world.url);
  const created = await page.request.post(`${origin}/scorecards`, { data: { document }, headers: { origin } });
  cardId = (await created.json()).id;
});
afterAll(async () => {
  elsewhere?.close();
  await world?.close();
});
const otherOrigin = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

const pages = [
  ...[
    "/calls",
    "/calls/CALL",
    "/calls/CALL/review",
    "/reviews",
    "/reviews/CALL",
    "/disputes",
    "/uploads",
    "/imports",
    "/scores",
    "/scores/agents",
    "/scores/reviewers",
    "/campaigns",
  ],
  ...["/people", "/people/teams", "/keys", "/scorecards", "/scorecards/CARD"],
  ...["/webhooks", "/webhooks/HOOK", "/privacy", "/audit", "/workspace", "/account"],
];

test.each(["/calls/CALL", "/nowhere", "/welcome", "/sign-in"])(
  "%s is sent with the content security policy",
  async (path) => {
    const before = visited.length;
    await page.goto(world.url + path.replace("CALL", callId));
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const [answer] = visited.slice(before);
    expect(answer?.policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
    expect(foreign).toEqual([]);
  },
);

test("no page runs an injected script or requests another origin", async () => {
  for (const path of pages) {
    await visit(page, world, path.replace("CALL", callId).replace("HOOK", webhookId).replace("CARD", cardId));
    await page.locator("main").and(page.locator(":not(:has([class*=Skeleton]))")).waitFor();
    await expect.poll(() => pending.size).toBe(0);
    expect(await page.evaluate("window.pwned"), path).toBeUndefined();
    expect(foreign, path).toEqual([]);
  }
});

/** CSP directives violated by an attempt. */
async function refused(attempt: string): Promise<string[]> {
  await stranger.evaluate("window.violated = []");
  await stranger.evaluate(`(async () => { try { await (async () => { ${attempt} })() } catch {} })()`);
  await until("a violation", 5_000, () => stranger.evaluate("window.violated.length > 0"));
  expect(await stranger.evaluate("window.pwned")).toBeUndefined();
  return (await stranger.evaluate("[...new Set(window.violated)]")) as string[];
}

describe("the browser refuses", () => {
  const add = (element: string, rest: string) =>
    `const e = document.createElement("${element}"); ${rest}; document.body.append(e);`;
  const nowhere = "http://127.0.0.2:9/";
  test.each([
    ["an inline script", add("script", `e.textContent = "window.pwned = 1"`), "require-trusted-types-for"],
    ["a script in a timer", `setTimeout("window.pwned = 1")`, "require-trusted-types-for"],
    ["a script from elsewhere", add("script", `e.src = "${nowhere}a.js"`), "require-trusted-types-for"],
    [
      "markup made of text",
      `document.body.innerHTML = '<img src=x onerror="window.pwned=1">'`,
      "require-trusted-types-for",
    ],
    [
      "an event handler in an attribute",
      add("img", `e.setAttribute("onerror", "window.pwned=1"); e.src = "x"`),
      "require-trusted-types-for",
    ],
    [
      "a second policy for trusted types",
      `trustedTypes.createPolicy("mine", { createHTML: (text) => text })`,
      "trusted-types",
    ],
    ["a style sheet without the nonce", add("style", `e.append("body { display: none }")`), "style-src-elem"],
    ["a style in an attribute", add("p", `e.setAttribute("style", "color: red")`), "style-src-attr"],
    ["a style sheet from elsewhere", add("link", `e.rel = "stylesheet"; e.href = "${nowhere}a.css"`), "style-src-elem"],
    ["a picture from elsewhere", add("img", `e.src = "${nowhere}a.png"`), "img-src"],
    ["sound from elsewhere", add("audio", `e.src = "${nowhere}a.m4a"; e.load()`), "media-src"],
    ["a request elsewhere", `await fetch("${nowhere}")`, "connect-src"],
    ["a frame", add("iframe", `e.src = "/docs/"`), "frame-src"],
    ["another base for addresses", add("base", `e.href = "${nowhere}"`), "base-uri"],
    ["an object", add("object", `e.type = "image/svg+xml"`), "object-src"],
    ["a form sent elsewhere", `${add("form", `e.action = "${nowhere}"`)}e.submit()`, "form-action"],
  ])("%s", async (_, attempt, directive) => {
    expect(await refused(attempt)).toContain(directive);
  });
});

test("other sites can neither frame the console nor keep a window reference", async () => {
  const other = await world.browser.newPage();
  await other.goto(`${otherOrigin()}/frame`, { waitUntil: "networkidle" });
  const [frame] = other.frames().slice(1);
  expect(await frame?.locator("#root").count()).toBe(0);
  await other.goto(otherOrigin());
  const opened = other.context().waitForEvent("page");
  await other.evaluate(`window.held = window.open("${world.url}/sign-in")`);
  await (await opened).getByRole("heading", { level: 1 }).waitFor();
  expect(await other.evaluate("window.held.closed")).toBe(true);
  expect(await (await opened).evaluate("window.opener")).toBeNull();
  await other.context().close();
});

test("pages are not cached; assets are immutable", async () => {
  const document = await page.request.get(`${world.url}/calls`);
  expect(document.headers()["cache-control"]).toBe("no-store");
  const [script = ""] = /\/console\/assets\/[^"]+\.js/.exec(await document.text()) ?? [];
  const file = await page.request.get(world.api.baseUrl + script);
  expect(file.headers()).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-encoding": "br",
    "x-content-type-options": "nosniff",
  });
});
