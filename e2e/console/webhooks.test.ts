import { verifyWebhook } from "@hearback/sdk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgent, type Service } from "../support/http/service.ts";
import { openReceiver, type Received, type Receiver } from "../support/servers/webhook-receiver.ts";
import { until } from "../support/waiting.ts";
import { type OwnConsole, openOwnConsole, startSession, visit } from "./support/console.ts";
import { expectAccessible, screenshots, tabTo } from "./support/page-checks.ts";

/* Webhook flow with the keyboard alone: a failing receiver, delivery status and resending. */

let hearback: OwnConsole;
let service: Service;
let receiver: Receiver;
let page: Page;

/** Failures left. */
let failures = 2;

beforeAll(async () => {
  // Retries after 0.5 and 3 seconds instead of 5 and 30.
  const retries = { WEBHOOK_RETRY_FACTOR: "0.1" };
  hearback = await openOwnConsole({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", ...retries });
  const { stack, api } = hearback;
  service = { ...stack, baseUrl: api.baseUrl };
  receiver = await openReceiver(() => (failures-- > 0 ? 503 : 200));
  page = await hearback.openPage();
  await startSession(page, hearback, hearback.admin);
});
afterAll(async () => {
  await receiver?.close();
  await hearback?.close();
});

const press = async (name: string | RegExp, role = "button") => {
  await tabTo(page, name, { role });
  await page.keyboard.press("Enter");
};

/** A menu that just opened may miss the first key. */
const chooseItem = async (name: string) => {
  const item = page.getByRole("menuitem", { name });
  await item.waitFor();
  const isReached = () => item.evaluate((element) => element.matches(":focus"));
  for (let presses = 0; presses < 12 && !(await isReached()); presses++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
};

const replace = async (text: string) => {
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
};

const verified = (secret: string, { headers, body }: Received) => verifyWebhook({ secret, headers, body });
const timesTaken = (id: string) =>
  receiver.received.filter(({ headers, status }) => headers["webhook-id"] === id && status === 200).length;
const rows = () => page.getByRole("table", { name: "Deliveries" }).getByRole("row");

test("a webhook is created, fails, delivers, is paused, catches up, rotates its secret and is deleted", {
  timeout: 400_000,
}, async () => {
  await visit(page, hearback, "/webhooks");
  await page.getByText("No webhooks yet").waitFor();
  await screenshots(page, "webhooks-empty");
  await expectAccessible(page);

  // Refusals are shown beside the field.
  await press("Create webhook");
  await page.getByRole("dialog", { name: "Create webhook" }).waitFor();
  await page.keyboard.type("http://10.0.0.1/hook");
  await page.keyboard.press("Enter");
  await page.getByText("This URL isn’t public").waitFor();
  for (const key of ["Tab", "Tab", "ArrowDown"]) await page.keyboard.press(key);
  await page.getByLabel("call.ready").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("Choose at least one event").waitFor();
  await page.getByRole("checkbox").first().and(page.locator(":focus")).waitFor();
  await screenshots(page, "webhooks-new");
  await expectAccessible(page);
  for (const key of ["Shift+Tab", "ArrowUp", "Shift+Tab", "Shift+Tab"]) await page.keyboard.press(key);
  await replace(receiver.url);

  const made = page.getByRole("dialog", { name: "Webhook created" });
  await made.waitFor();
  const secret = await made.getByLabel("Secret", { exact: true }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await screenshots(page, "webhooks-secret");
  await expectAccessible(page);
  await press("I have saved it");
  await page.getByText("No deliveries yet").waitFor();

  // Fails first; the retry arrives.
  await press("Send test");
  await rows().filter({ hasText: "HTTP 503" }).waitFor();
  await rows().filter({ hasText: "Delivered" }).waitFor({ timeout: 30_000 });
  const [testEvent] = receiver.received.slice(-1) as [Received];
  expect(await verified(secret, testEvent)).toMatchObject({ type: "webhook.test" });
  await press(/^Show 3 attempts for/);
  const attempts = page.getByRole("table", { name: "Attempts" });
  await attempts.waitFor();
  expect(await attempts.getByText("HTTP 503").count()).toBe(2);
  expect(await attempts.getByText("HTTP 200").count()).toBe(1);
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  // Resend one event: the same ID arrives twice.
  await press(/^Resend webhook.test /);
  await until("it arrives again", 30_000, () => timesTaken(String(testEvent.headers["webhook-id"])) === 2);

  // Replay events missed while paused.
  await press("More");
  await chooseItem("Pause");
  await page.getByRole("dialog", { name: "Pause" }).waitFor();
  await press("Pause");
  await page.getByText("It was paused by an administrator.", { exact: false }).waitFor();
  await screenshots(page, "webhook-paused");
  await expectAccessible(page);
  await createAgent(service);
  await createAgent(service);
  await press("Resume");
  await press("Resend events…");
  const replaying = page.getByRole("dialog", { name: "Resend events…" });
  await replaying.waitFor();
  await screenshots(page, "webhook-replay");
  await expectAccessible(page);
  // Events become visible once older transactions have ended.
  await press("Resend");
  await replaying.getByText(/events? queued/).waitFor();
  await press("Close");
  await until("missed events arrive", 30_000, () => {
    const types = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    return types.filter((type) => type === "user.created").length >= 2;
  });
  for (const arrived of receiver.received) await verified(secret, arrived);

  // The status filter is in the URL.
  await visit(page, hearback, `${new URL(page.url()).pathname.replace("/console", "")}?state=failed`);
  await page.getByText("No deliveries with this status").waitFor();
  await tabTo(page, "Failed", { role: "radio" });
  await page.keyboard.press("ArrowLeft");
  await page.waitForURL(/state=delivered/);
  await rows().filter({ hasText: "user.created" }).first().waitFor();
  await screenshots(page, "webhook");
  await expectAccessible(page);

  // Rotate the secret. The old one keeps working for a while.
  await press("More");
  await chooseItem("Rotate secret");
  await page.getByRole("dialog", { name: "Rotate secret" }).waitFor();
  await press("Rotate");
  const second = await page.getByLabel("Secret", { exact: true }).inputValue();
  expect(second).not.toBe(secret);
  await press("I have saved it");
  await page.getByText("Events are also signed with the old secret", { exact: false }).waitFor();
  const before = receiver.received.length;
  await press("Send test");
  const signedTwice = await until("another test arrives", 30_000, () => receiver.received[before]);
  await verified(secret, signedTwice);
  await verified(second, signedTwice);

  await visit(page, hearback, "/webhooks");
  await page.getByRole("link", { name: receiver.url }).waitFor();
  await screenshots(page, "webhooks");
  await expectAccessible(page);

  await press(receiver.url, "link");
  await press("More");
  await chooseItem("Delete webhook");
  await page.getByRole("dialog", { name: "Delete webhook" }).waitFor();
  await press("Delete webhook");
  await page.getByText("No webhooks yet").waitFor();
});
