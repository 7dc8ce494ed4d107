import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { withEveryScope } from "../support/http/call-details.ts";
import type { Service } from "../support/http/service.ts";
import { serviceAt, wavHeader } from "../support/recordings/recordings.ts";
import { installSdk, type SdkUser } from "../support/stack/sdk-package.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";

let user: SdkUser;
let stack: Stack;
let service: Service;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  user = await installSdk();
  stack = await openStack();
  service = await withEveryScope(stack, serviceAt(stack, (await stack.startApi()).port));
  browser = await launchBrowser();
  page = await openPage();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await user?.close();
});

/** A same-origin page with the published package, throttled to 8 MB/s. */
async function openPage(): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: true });
  const opened = await context.newPage();
  const imports = JSON.stringify({
    imports: { "@hearback/sdk": "/sdk/lib/index.js", "#send-form": "/sdk/lib/send-form.js" },
  });
  await opened.route(`${service.baseUrl}/sdk/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace("/sdk/", "");
    if (path === "page") {
      const body = `<!doctype html><title>SDK</title><script type="importmap">${imports}</script>`;
      return route.fulfill({ contentType: "text/html", body });
    }
    const body = await readFile(join(user.folder, "node_modules/@hearback/sdk", path), "utf8");
    return route.fulfill({ contentType: "text/javascript", body });
  });
  await opened.goto(`${service.baseUrl}/sdk/page`);
  const session = await context.newCDPSession(opened);
  const speed = { latency: 0, downloadThroughput: -1, uploadThroughput: 8_000_000 };
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, ...speed });
  return opened;
}

interface Outcome {
  readonly id?: string;
  readonly bytes?: number;
  readonly error?: string;
  readonly progress: readonly number[];
  readonly totalBytes: number;
}

// As a string: it runs in the page, with the page's package.
const upload = `async ({ service, head, seconds, stopAt }) => {
  const { createClient } = await import("@hearback/sdk");
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  const stop = new AbortController();
  const progress = [];
  let totalBytes = 0;
  const file = new Blob([Uint8Array.from(atob(head), (c) => c.charCodeAt(0)), new Uint8Array(seconds * 16000)]);
  const outcome = await client.calls.import({
    file, campaignId: service.campaignId, agentEmail: service.agentEmail, happenedAt: new Date("2026-05-01T10:00:00Z"),
    signal: stop.signal,
    onProgress: (told) => {
      progress.push(told.sentBytes);
      totalBytes = told.totalBytes;
      if (told.sentBytes > stopAt) stop.abort(new Error("enough"));
    },
  }).then(({ id, recording }) => ({ id, bytes: recording.bytes }), (error) => ({ error: error.message }));
  return { ...outcome, progress, totalBytes };
}`;

const uploadInPage = (seconds: number, stopAt: number): Promise<Outcome> =>
  page.evaluate(
    `(${upload})(${JSON.stringify({ service, head: wavHeader(seconds * 16_000).toString("base64"), seconds, stopAt })})`,
  );

const countCalls = async () => (await stack.adminDb.query("select 1 from call")).rowCount;

test("Chromium uploads a Blob and reports progress", async () => {
  const outcome = await uploadInPage(1_000, Number.MAX_SAFE_INTEGER);
  expect(outcome).toMatchObject({ bytes: 44 + 16_000_000 });
  expect(outcome.progress.length).toBeGreaterThan(3);
  expect(outcome.progress).toEqual(outcome.progress.toSorted((a, b) => a - b));
  expect(outcome.progress.at(-1)).toBe(outcome.totalBytes);
  expect(await countCalls()).toBe(1);
});

test("Chromium aborts an upload, and nothing is imported", async () => {
  const outcome = await uploadInPage(1_001, 2_000_000);
  expect(outcome).toMatchObject({ error: "enough" });
  expect(outcome.progress.at(-1)).toBeLessThan(outcome.totalBytes);
  expect(await countCalls()).toBe(1);
});

test("Chromium reads data and gets errors", async () => {
  const result = await page.evaluate(`(async (service) => {
    const { createClient, ServiceError } = await import("@hearback/sdk");
    const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
    const ids = [];
    for await (const call of client.calls.search({ campaign: service.campaignId })) ids.push(call.id);
    const error = await client.users.find("none").catch((error) => error);
    return { calls: ids.length, known: error instanceof ServiceError, status: error.status, code: error.code };
  })(${JSON.stringify(service)})`);
  expect(result).toMatchObject({ calls: 1, known: true, status: 404, code: "user_not_found" });
});
