import { verifyWebhook } from "@hearback/sdk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aReceiver, type Received, type Receiver } from "../support/events.ts";
import { anAgent, type Service } from "../support/service.ts";
import { until } from "../support/waiting.ts";
import { type Console, openConsole, signIn } from "./support/console.ts";
import { expectAccessible, shots, tabTo } from "./support/looks.ts";

/*
 * An administrator has events sent to a receiver that fails at first, sees what became of them, and has them sent again:
 * with the keyboard alone.
 */

let hearback: Console;
let service: Service;
let receiver: Receiver;
let page: Page;

/** How often the receiver is still going to fail. */
let failures = 2;

beforeAll(async () => {
  // Pauses of half a second and three seconds instead of five and thirty.
  const retries = { WEBHOOK_RETRY_FACTOR: "0.1" };
  hearback = await openConsole({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", ...retries });
  const { stack, api } = hearback;
  service = { ...stack, baseUrl: api.baseUrl };
  receiver = await aReceiver(() => (failures-- > 0 ? 503 : 200));
  page = await hearback.openPage();
  await signIn(page, hearback, hearback.admin);
});
afterAll(async () => {
  await receiver?.close();
  await hearback?.close();
});

const press = async (name: string | RegExp, role = "button") => {
  await tabTo(page, name, { role });
  await page.keyboard.press("Enter");
};

/** In a menu that has just opened: it may not listen to the first key. */
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

test("a webhook is made, fails, delivers, is paused, catches up, changes its secret and goes", {
  timeout: 400_000,
}, async () => {
  await page.goto(`${hearback.url}/webhooks`);
  await page.getByText("No webhook yet").waitFor();
  await shots(page, "webhooks-empty");
  await expectAccessible(page);

  // What the service refuses is said beside the field.
  await press("New webhook");
  await page.getByRole("dialog", { name: "New webhook" }).waitFor();
  await page.keyboard.type("http://10.0.0.1/hook");
  await page.keyboard.press("Enter");
  await page.getByText("This address is not a public one").waitFor();
  for (const key of ["Tab", "Tab", "ArrowDown"]) await page.keyboard.press(key);
  await page.getByLabel("call.ready").waitFor();
  await shots(page, "webhooks-new");
  await expectAccessible(page);
  for (const key of ["ArrowUp", "Shift+Tab", "Shift+Tab"]) await page.keyboard.press(key);
  await replace(receiver.url);

  // The secret is shown once.
  const made = page.getByRole("dialog", { name: "The webhook is made" });
  await made.waitFor();
  const secret = await made.getByLabel("Secret", { exact: true }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await shots(page, "webhooks-secret");
  await expectAccessible(page);
  await press("I have kept it");
  await page.getByText("Nothing was sent yet").waitFor();

  // It fails at first, and what is tried again arrives.
  await press("Send a test");
  await rows().filter({ hasText: "Answered 503" }).waitFor();
  await rows().filter({ hasText: "Delivered" }).waitFor({ timeout: 30_000 });
  const [testEvent] = receiver.received.slice(-1) as [Received];
  expect(await verified(secret, testEvent)).toMatchObject({ type: "webhook.test" });
  await press(/^3 attempts to send/);
  const attempts = page.getByRole("table", { name: "Attempts" });
  await attempts.waitFor();
  expect(await attempts.getByText("Answered 503").count()).toBe(2);
  expect(await attempts.getByText("Answered 200").count()).toBe(1);
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  // One event again: the same id arrives twice.
  await press(/^Send webhook.test .* again$/);
  await until("it arrives again", 30_000, () => timesTaken(String(testEvent.headers["webhook-id"])) === 2);

  // What happened while it was paused is replayed.
  await press("More");
  await chooseItem("Pause");
  await page.getByRole("dialog", { name: "Pause" }).waitFor();
  await press("Pause");
  await page.getByText("It was paused by somebody here.", { exact: false }).waitFor();
  await shots(page, "webhook-paused");
  await expectAccessible(page);
  await anAgent(service);
  await anAgent(service);
  await press("Resume");
  await press("Send again since …");
  const replaying = page.getByRole("dialog", { name: "Send again since …" });
  await replaying.waitFor();
  await shots(page, "webhook-replay");
  await expectAccessible(page);
  // Events become readable when no older transaction runs: a moment after they were written.
  await press("Send again");
  await replaying.getByText(/events? (is|are) on (its|their) way again/).waitFor();
  await press("Close");
  await until("what was missed arrives", 30_000, () => {
    const types = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    return types.filter((type) => type === "user.created").length >= 2;
  });
  for (const arrived of receiver.received) await verified(secret, arrived);

  // The outcome is chosen in the address bar.
  await page.goto(`${page.url().split("?")[0]}?state=failed`);
  await page.getByText("No delivery is in this state").waitFor();
  await tabTo(page, "Failed", { role: "radio" });
  await page.keyboard.press("ArrowLeft");
  await page.waitForURL(/state=delivered/);
  await rows().filter({ hasText: "user.created" }).first().waitFor();
  await shots(page, "webhook");
  await expectAccessible(page);

  // Another secret, beside which the old one is good for a while.
  await press("More");
  await chooseItem("New secret");
  await page.getByRole("dialog", { name: "New secret" }).waitFor();
  await press("Make a new secret");
  const second = await page.getByLabel("Secret", { exact: true }).inputValue();
  expect(second).not.toBe(secret);
  await press("I have kept it");
  await page.getByText("everything is signed with the old secret, too", { exact: false }).waitFor();
  const before = receiver.received.length;
  await press("Send a test");
  const signedTwice = await until("another test arrives", 30_000, () => receiver.received[before]);
  await verified(secret, signedTwice);
  await verified(second, signedTwice);

  await page.goto(`${hearback.url}/webhooks`);
  await page.getByRole("link", { name: receiver.url }).waitFor();
  await shots(page, "webhooks");
  await expectAccessible(page);
  await inFrench();

  await press(receiver.url, "link");
  await press("More");
  await chooseItem("Delete the webhook");
  await page.getByRole("dialog", { name: "Delete the webhook" }).waitFor();
  await press("Delete the webhook");
  await page.getByText("No webhook yet").waitFor();
});

async function inFrench() {
  const french = await hearback.openPage({ locale: "fr-FR" });
  await signIn(french, hearback, hearback.admin);
  await french.goto(`${hearback.url}/webhooks`);
  await french.getByRole("link", { name: receiver.url }).click();
  await french.getByRole("table", { name: "Envois" }).waitFor();
  await shots(french, "webhook-fr");
  await expectAccessible(french);
  await french.context().close();
}
