import { afterAll, beforeEach, expect, test } from "vitest";
import { openReviewTests } from "../../testing/reviews.ts";
import { openMailReceiver } from "../../testing/servers/mail-receiver.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { queueReviewEmails } from "./queue-review-emails.ts";
import { sendReviewEmail } from "./send-review-email.ts";

const mail = await openMailReceiver();
const { received } = mail;
const service = await openTestApp(mail.settings);
const { app, admin, caller } = service;
const { workspaceId } = caller;
const { agent, supervisor, released, dispute } = await openReviewTests(service);
afterAll(async () => {
  app.mail?.close();
  await mail.close();
});

/** Runs the daily job and sends what it queued. */
async function runDailyJob(): Promise<void> {
  await queueReviewEmails(app, workspaceId);
  const { rows } = await admin.query("delete from outgoing_job where name = $1 returning payload", [
    sendReviewEmail.name,
  ]);
  for (const { payload } of rows) await sendReviewEmail.perform(app, payload);
}

const passADay = () => admin.query("update review_email set queued_at = queued_at - interval '1 day'");

beforeEach(async () => {
  await passADay();
  await agent.ask("PATCH", "/session", { review_email: true });
  await admin.query("update review_email set released = 0, decided = 0");
  received.length = 0;
});

test("an agent gets one email a day about released reviews and decided objections, without customers and scores", async () => {
  const { id } = await released();
  await released();
  const opened = await dispute(id);
  const items = [{ question_id: "greeting", decision: "upheld", explanation: "Not heard." }];
  expect((await supervisor.ask("POST", `/disputes/${opened.body.id}/resolve`, { items })).status).toBe(200);
  await runDailyJob();
  expect(received).toHaveLength(1);
  const [{ to, text } = { to: [], text: "" }] = received;
  expect(to).toEqual([agent.email]);
  expect(text).toContain("2 reviews of your calls were released.\r\n");
  expect(text).toContain("One of your objections was decided.\r\n");
  expect(text).toContain("/console/reviews");
  expect(text).toContain("/console/account");
  expect(text.slice(text.indexOf("Hello"))).not.toMatch(/60|Not heard|At 0:04/);

  await released();
  await runDailyJob();
  expect(received, "a second email on the same day").toHaveLength(1);
  await passADay();
  await runDailyJob();
  expect(received).toHaveLength(2);
  expect(received[1]?.text).toContain("A review of one of your calls was released.\r\n");
  expect(received[1]?.text).not.toContain("objections");
  await passADay();
  await runDailyJob();
  expect(received, "nothing happened since").toHaveLength(2);
});

test("an agent who turned it off gets none, also later", async () => {
  const off = await agent.ask("PATCH", "/session", { review_email: false });
  expect(off).toMatchObject({ status: 200, body: { review_email: false, user: { id: agent.id } } });
  await released();
  await runDailyJob();
  await agent.ask("PATCH", "/session", { review_email: true });
  await passADay();
  await runDailyJob();
  expect(received).toEqual([]);
});

test("turning it off stops an email that is queued already", async () => {
  await released();
  await queueReviewEmails(app, workspaceId);
  await agent.ask("PATCH", "/session", { review_email: false });
  await runDailyJob();
  expect(received).toEqual([]);
});

test("a deactivated agent gets none", async () => {
  await released();
  await admin.query("update app_user set deactivated_at = now() where id = $1", [agent.id]);
  await runDailyJob();
  await admin.query("update app_user set deactivated_at = null where id = $1", [agent.id]);
  expect(received).toEqual([]);
});
