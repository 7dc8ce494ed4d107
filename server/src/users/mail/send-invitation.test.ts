import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { openMailReceiver } from "../../testing/servers/mail-receiver.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { runWorker } from "../../worker.ts";
import { inviteUser } from "../invite-user.ts";
import { sendInvitation } from "./send-invitation.ts";

const mail = await openMailReceiver({ deferred: 1 });
const { received: sentMails } = mail;
const { app, caller, admin } = await openTestApp(mail.settings);
const worker = await runWorker(app);
afterAll(async () => {
  await worker.stop();
  await mail.close();
});

test("the worker sends an invitation, and retries when the mail server defers it", async () => {
  const input = { email: "Bob@example.com", name: "Bob Roy", role: "agent", sendInvitation: true } as const;
  const user = await inviteUser(app, operatorIn(caller.workspaceId), input);
  expect(user.invitation).toBe("queued");
  for (let tries = 0; tries < 200 && sentMails.length === 0; tries++) await sleep(100);
  expect(sentMails).toHaveLength(1);
  expect(sentMails[0]?.to).toEqual(["Bob@example.com"]);
  expect(sentMails[0]?.text).toContain("Subject: You have been invited to Acme on Hearback");
  expect(sentMails[0]?.text).toContain("Hello Bob Roy");

  const sent = () => admin.query("select 1 from app_user where id = $1 and invitation_sent_at is not null", [user.id]);
  for (let tries = 0; tries < 50 && (await sent()).rows.length === 0; tries++) await sleep(100);
  await sendInvitation.perform(app, { workspaceId: caller.workspaceId, userId: user.id });
  expect(sentMails, "a job that runs twice sends one email").toHaveLength(1);
});
